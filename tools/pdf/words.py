"""What only paper says, in both languages."""

WORDS = {
    "zh-Hant": {
        "contents": "目次",
        "preface": "開始之前",
        "solutions": "解答",
        "chapter": "第 {n} 章",
        "page": "第 {page} 頁",
        "to solution": "解答在",
        "to exercise": "題目在",
        "note": "這本書的網頁版可以動手：圖裡的東西能拖，程式碼能改、能執行。紙上的圖只印說明最多的一個狀態；"
        "準備環境與畫圖的程式碼省略，驗算只印一行結果（✓）。完整的程式碼在每一章的 Notebook；函式庫的參考頁也只放在網頁版。",
    },
    "en": {
        "contents": "Contents",
        "preface": "Before you start",
        "solutions": "Solutions",
        "chapter": "Chapter {n}",
        "page": "page {page}",
        "to solution": "Solution:",
        "to exercise": "Exercise:",
        "note": "The web edition of this book moves: what its figures show can be dragged, and its code changed and run. Paper "
        "shows each figure in the one state that tells most. Code that sets up or draws is left out, and a check prints one "
        "line (✓). Every chapter's notebook has all the code; the library's reference stands in the web edition alone.",
    },
}
