# Every target works on a fresh machine: it makes what it needs first.
PYTHON ?= python3
VENV = .venv/bin/python

.PHONY: book test test-pages test-live test-peers peers matrix lab serve live dist pdf run handout slips bench bench-doctor bench-live bench-pages bench-scenes mutants train lint clean

book:            ## build both languages into _build/html
	@$(PYTHON) tools/environment.py
	@$(VENV) -m tools.book

test:            ## build, then test the library, the site, the scenes and every notebook
	@$(PYTHON) tools/environment.py --test
	@$(VENV) -m tools.book
	@$(VENV) -m tools.check

test-pages:      ## open every page in a browser, light, dark and on a phone, and join them for paper
	@$(PYTHON) tools/environment.py --test
	@$(VENV) -m tools.book
	@$(VENV) -m pytest tests/site -m every_page -n 2 --dist loadfile -q

test-live:       ## run every page's cells in a browser (PYODIDE_DIR holds Pyodide; ../shared/pyodide unless set)
	@$(PYTHON) tools/environment.py --test
	@$(VENV) -m tools.book
	@$(VENV) -m pytest tests/live -m live -n 2 -q

test-peers:      ## compare ropelib with torch, transformers and others, which this installs
	@$(PYTHON) tools/environment.py --peers
	@$(VENV) -m pytest tests/peers -n 2 -q

peers:           ## record what transformers answers, for the tests that run without it
	@$(PYTHON) tools/environment.py --peers
	@$(VENV) -m tools.peers

matrix:          ## run the library's tests on the oldest and newest NumPy and on every Python from 3.11 found here
	@$(PYTHON) tools/environment.py --test
	@$(VENV) -m tools.matrix

lab:             ## open the notebooks in JupyterLab
	@$(PYTHON) tools/environment.py
	@$(VENV) -m jupyter trust chapters/*/*.ipynb >/dev/null  # or JupyterLab shows words in place of stored figures
	@$(VENV) -m jupyterlab chapters

serve: book      ## read the book at http://localhost:8000
	@$(VENV) -m http.server 8000 --bind 127.0.0.1 --directory _build/html

live: book       ## a book that serves its own Pyodide, in _build/live: make live PYODIDE=dir
	@$(VENV) -m tools.live $(PYODIDE)

dist: book       ## one zip of the book, to be opened from disk
	@$(VENV) -m tools.dist

run:             ## execute notebooks and store their outputs: make run CHAPTERS="03 09"
	@$(PYTHON) tools/environment.py
	@$(VENV) -m tools.pair run $(CHAPTERS)

pdf: book        ## one PDF a language, 17 x 23 cm, in _build/pdf (needs Chromium, and npm once for the fonts)
	@$(PYTHON) tools/environment.py --test
	@$(VENV) -m pip install -q pikepdf==10.18.0
	@$(VENV) -m tools.pdf

handout: book    ## notebooks and one PDF without solutions, in _build/handout: make handout CHAPTERS="03 09"
	@$(PYTHON) tools/environment.py --test
	@$(VENV) -m pip install -q pikepdf==10.18.0
	@$(VENV) -m tools.handout $(CHAPTERS)
	@$(VENV) -m tools.pdf --chapters $(or $(CHAPTERS),0 1 2)

slips:           ## try a slip against every check: make slips CHAPTERS="03 09"
	@$(PYTHON) tools/environment.py
	@$(VENV) -m tools.slips $(CHAPTERS)

bench:           ## time ropelib and its peers, and write the table that chapter 08 shows
	@$(PYTHON) tools/environment.py --peers
	@$(VENV) -m bench

bench-doctor:    ## plant faults afresh and count what the doctor says of them: make bench-doctor CASES=10000
	@$(PYTHON) tools/environment.py
	@$(VENV) -m bench.doctor --show --cases $(or $(CASES),2000)
	@$(VENV) -m bench.doctor --regular --rows 64 --dtype float32 --cases 600
	@$(VENV) -m bench.doctor --regular --rows 512 --dtype float64 --cases 200

bench-pages: book ## time the largest paint of every page
	@$(PYTHON) tools/environment.py --test
	@$(VENV) -m bench.pages

bench-live: book ## time the press of Run to the first output, from this disk: make bench-live PYODIDE=dir PAGES="03- 16-"
	@$(PYTHON) tools/environment.py --test
	@$(VENV) -m bench.live "$(PYODIDE)" $(PAGES)

bench-scenes:    ## time every scene's drawings, and count its frames while a handle is dragged: make bench-scenes KIND=verse
	@$(PYTHON) tools/environment.py --test
	@$(VENV) -m bench.scenes $(KIND)

train:           ## train the small models again (an hour and a half on one core), measure them, write what the book loads
	@$(PYTHON) tools/environment.py --training
	@$(VENV) -m training
	@$(VENV) -m training.evaluate
	@$(VENV) -m training.export

mutants:         ## change one thing of a module at a time, and see whether a test notices: make mutants MODULE="scaling axes"
	@$(PYTHON) tools/environment.py --test
	@$(VENV) -m pip install -q mutmut==3.8.1
	@$(VENV) -m tools.mutants $(MODULE)

lint:
	@$(PYTHON) tools/environment.py --test
	@$(VENV) -m ruff check .

clean:           ## forget everything that was made
	rm -rf _build .venv .pytest_cache .hypothesis .ruff_cache ropelib.egg-info
