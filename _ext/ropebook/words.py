"""Words of the interface, in each language. Our own: no theme brings Traditional Chinese for all of them."""

WORDS = {
    "zh-Hant": {
        "book": "RoPE 旋轉位置編碼",
        "tagline": "一本會自己驗算的書：從直覺、推導到程式碼",
        "skip": "跳到主要內容",
        "home": "首頁",
        "contents": "目錄",
        "on this page": "本頁內容",
        "chapter": "第 %s 章",
        "previous": "上一章",
        "next": "下一章",
        "language": "語言",
        "theme": "切換深色與淺色",
        "download": "下載這一章的 Jupyter Notebook",
        "copy": "複製",
        "copied": "已複製",
        "formula": "公式",
        "table": "表格",
        "code": "程式碼",
        "output": "執行結果",
        "link": "這一節的連結",
        "link equation": "這條公式的連結",
        "link figure": "這張圖的連結",
        "search": "搜尋",
        "search book": "搜尋本書",
        "search hint": "輸入中文詞、英文詞或符號，例如「相對位置」、「base」、「θ」",
        "search none": "本書找不到「%s」。請改用較短的詞，或試試另一種說法。",
        "search some": "找到 %s 個段落",
        "search loading": "正在載入索引…",
        "search failed": "索引載入失敗。請檢查網路連線後，重新整理頁面。",
        "search no script": "搜尋需要 JavaScript。請開啟 JavaScript，或從目錄找起。",
        "close": "關閉",
        "needs kernel": "這張圖可以自己動手調，要在執行中的 Notebook 裡才會動。",
        "get notebook": "下載這一章的 Notebook",
        "live name": "在頁面中執行",
        "live about": "按下後才會載入 Python，第一次約 25 MB；改過的程式碼只留在這個分頁。",
        "live help": "接下來可以：檢查網路後再按一次，或下載 Notebook，在自己電腦的 Jupyter 打開。",
        "live again": "再試一次",
        "live editor": "第 1 步，共 3 步：載入編輯器…",
        "live python": "第 2 步，共 3 步：載入 Python 與套件，已完成 %s／%s 個檔案，%s MB",
        "live start": "第 3 步，共 3 步：啟動 Python，通常不到半分鐘…",
        "live ready": "Python 準備好了。每一格都能改；按「執行」或 Shift + Enter 執行，按 Tab 離開編輯區。",
        "live run": "執行",
        "live stop": "停止",
        "live all": "全部執行",
        "live restart": "重新啟動 Python",
        "live cell": "第 %s 格程式碼",
        "live picture": "第 %s 格程式碼畫的圖",
        "live running": "正在執行第 %s 格…",
        "live long": (
            "第 %s 格已經跑了 %s 秒。如果不該這麼久，請按這一格的「停止」：Python 會重新啟動，"
            "你改過的程式碼不會消失。"
        ),
        "live ran": "第 %s 格執行完了。",
        "live wrong": "第 %s 格出現錯誤，訊息在那一格下面。改好後再執行一次。",
        "live done": "%s 格全部執行完了。",
        "live stopping": "已經停止，正在重新啟動 Python…",
        "live stopped": (
            "已經停止，Python 也重新啟動了。改過的程式碼還在，但變數要重算：請從第一格重新執行，或按「全部執行」。"
        ),
        "live fresh": "Python 重新啟動了。改過的程式碼還在，但變數要重算：請從第一格重新執行。",
        "live failed": "沒辦法在頁面中執行：%s。",
        "live lost": "%s 載入失敗",
        "live slow": "等了 %s 分鐘，Python 還是沒有回應",
        "live dead": "Python 沒有啟動",
        "live from disk": (
            "這一頁是從磁碟打開的，瀏覽器不讓這樣的頁面載入 Python；要經由 http 才能執行。"
            "在本書的專案資料夾執行 make serve，再打開它印出的網址即可；也可以下載 Notebook，"
            "在自己電腦的 Jupyter 打開。"
        ),
        "licence": "文字採 CC BY 4.0，程式碼採 MIT 授權。",
        "figure %s": "圖 %s",
        "table %s": "表 %s",
        "listing %s": "程式 %s",
        "section %s": "第 %s 節",
        "exercise %s": "練習 %s",
    },
    "en": {
        "book": "RoPE: rotary position embedding",
        "tagline": "A book that checks its own claims: intuition, derivation, code",
        "skip": "Skip to the main content",
        "home": "Home",
        "contents": "Contents",
        "on this page": "On this page",
        "chapter": "Chapter %s",
        "previous": "Previous",
        "next": "Next",
        "language": "Language",
        "theme": "Switch between dark and light",
        "download": "Download this chapter as a Jupyter notebook",
        "copy": "Copy",
        "copied": "Copied",
        "formula": "Formula",
        "table": "Table",
        "code": "Code",
        "output": "Output",
        "link": "Link to this section",
        "link equation": "Link to this equation",
        "link figure": "Link to this figure",
        "search": "Search",
        "search book": "Search this book",
        "search hint": "A word, a phrase or a symbol: “relative position”, “base”, “θ”",
        "search none": "Nothing in this book matches “%s”. Try a shorter word, or another way to say it.",
        "search some": "%s passages found",
        "search loading": "Loading the index…",
        "search failed": "The index did not load. Check the connection, then reload the page.",
        "search no script": "Search needs JavaScript. Turn it on, or start from the contents.",
        "close": "Close",
        "needs kernel": "This figure has controls. They come alive when the notebook runs.",
        "get notebook": "Download this chapter's notebook",
        "live name": "Run in this page",
        "live about": "Loads Python when pressed, about 25 MB the first time. What you change stays in this tab.",
        "live help": (
            "To go on: check the connection and press again, or download the notebook and open it in Jupyter on your "
            "own machine."
        ),
        "live again": "Try again",
        "live editor": "Step 1 of 3: loading the editor…",
        "live python": "Step 2 of 3: loading Python and its packages, %s of %s files, %s MB",
        "live start": "Step 3 of 3: starting Python, usually under half a minute…",
        "live ready": "Python is ready. Every cell can be changed; Run or Shift + Enter runs it, Tab leaves the editor.",
        "live run": "Run",
        "live stop": "Stop",
        "live all": "Run all cells",
        "live restart": "Restart Python",
        "live cell": "Code cell %s",
        "live picture": "Figure drawn by code cell %s",
        "live running": "Running cell %s…",
        "live long": (
            "Cell %s has run for %s seconds. If that is too long, press the cell's Stop: Python starts afresh, and "
            "what you changed stays."
        ),
        "live ran": "Cell %s has run.",
        "live wrong": "Cell %s raised an error, shown below it. Change the cell and run it again.",
        "live done": "All %s cells have run.",
        "live stopping": "Stopped; Python is starting afresh…",
        "live stopped": (
            "Stopped, and Python has started afresh. What you changed is still there, but the variables are gone: "
            "run from the first cell again, or press “Run all cells”."
        ),
        "live fresh": (
            "Python has started afresh. What you changed is still there, but the variables are gone: run from the "
            "first cell again."
        ),
        "live failed": "Could not run in this page: %s.",
        "live lost": "%s did not load",
        "live slow": "Python did not answer for %s minutes",
        "live dead": "Python did not start",
        "live from disk": (
            "This page was opened from disk, and a browser does not let such a page load Python: it needs http. In "
            "the book's repository run make serve and open the address it prints, or download the notebook and open "
            "it in Jupyter on your own machine."
        ),
        "licence": "Text under CC BY 4.0, code under MIT.",
        "figure %s": "Fig. %s",
        "table %s": "Table %s",
        "listing %s": "Listing %s",
        "section %s": "Section %s",
        "exercise %s": "Exercise %s",
    },
}

# What Sphinx and the extensions say, where their own catalogues have no Traditional Chinese or other words than the book's.
MESSAGES = {
    "zh-Hant": {
        "Exercise": "練習",
        "Solution to": "解答：",
        "Solution": "解答",
        "Note": "說明",
        "Tip": "提示",
        "Hint": "提示",
        "Important": "重點",
        "Warning": "注意",
        "Caution": "小心",
        "Attention": "留意",
        "Danger": "危險",
        "Error": "錯誤",
        "See also": "延伸閱讀",
        "Parameters": "參數",
        "Returns": "回傳",
        "Raises": "例外",
        "Link to this heading": "這一節的連結",
        "Link to this equation": "這條公式的連結",
        "Link to this image": "這張圖的連結",
        "Link to this table": "這張表的連結",
        "Link to this code": "這段程式的連結",
        "Link to this definition": "這個定義的連結",
        "Link to this term": "這個詞的連結",
    },
    "en": {},
}


def word(language, key):
    return WORDS[language][key]
