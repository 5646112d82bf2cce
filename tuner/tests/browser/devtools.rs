//! A Chromium without a window, driven through its DevTools protocol (<https://chromedevtools.github.io/devtools-protocol/>).
//!
//! Messages are JSON, each ended by a zero byte, through pipes that the browser has as its files 3 and 4: no port, nothing to connect to.

use serde_json::{Value, json};
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// What the browser may be called.
const NAMES: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chromium-headless-shell",
];

/// The browser is taken for dead if it says nothing for so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// Kinds of events that say that something is wrong with a page, or that it asks for something.
const COMPLAINTS: [&str; 3] = [
    "Runtime.consoleAPICalled",
    "Runtime.exceptionThrown",
    "Log.entryAdded",
];

/// The browser's file; `None`: there is none.
pub fn found() -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    let files = NAMES
        .iter()
        .flat_map(|n| folders.iter().map(move |f| f.join(n)));
    files.into_iter().find(|f| f.is_file())
}

/// A running browser with one page.
pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    session: Option<String>,
    last: u64,
    /// Events that nobody has looked at.
    events: Vec<Value>,
}

impl Browser {
    /// Starts it; `profile`: a folder for what it keeps.
    pub fn start(file: &Path, profile: &Path) -> Browser {
        let mut child = Command::new("sh")
            .args([
                "-c",
                "exec \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null",
                "sh",
            ])
            .arg(file)
            // Without --no-sandbox it does not start for root, as in containers; the pages are our own.
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
            ])
            .args([
                "--hide-scrollbars",
                "--no-first-run",
                "--remote-debugging-pipe",
            ])
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let (send, from) = channel();
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        thread::spawn(move || {
            let mut message = vec![];
            while out.read_until(0, &mut message).is_ok_and(|n| n > 0) {
                message.pop();
                let read = serde_json::from_slice(&message).expect("JSON");
                message.clear();
                if send.send(read).is_err() {
                    return;
                }
            }
        });
        let to = child.stdin.take().expect("a pipe");
        let mut browser = Browser {
            child,
            to,
            from,
            session: None,
            last: 0,
            events: vec![],
        };
        browser.open();
        browser
    }

    /// A page, whose events are heard.
    fn open(&mut self) {
        let page = self.call("Target.createTarget", json!({ "url": "about:blank" }));
        let how = json!({ "targetId": page["targetId"], "flatten": true });
        let session = self.call("Target.attachToTarget", how);
        self.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
    }

    fn message(&mut self) -> Value {
        let read = self.from.recv_timeout(PATIENCE);
        read.expect("the browser is there and answers")
    }

    /// Calls a method and waits for its answer.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let text = message.to_string() + "\0";
        self.to
            .write_all(text.as_bytes())
            .expect("the browser is there");
        loop {
            let mut read = self.message();
            if read["id"] != self.last {
                self.events.push(read);
                continue;
            }
            assert!(read["error"].is_null(), "{method}: {}", read["error"]);
            return read["result"].take();
        }
    }

    /// Waits for an event that comes after what was called last.
    fn wait(&mut self, method: &str) {
        while !self.events.iter().any(|e| e["method"] == method) {
            let read = self.message();
            self.events.push(read);
        }
    }

    /// Opens a file and waits until it is there.
    pub fn load(&mut self, file: &Path, fragment: &str) {
        self.events.clear();
        // The same file with another fragment is not loaded again from another page only.
        self.call("Page.navigate", json!({ "url": "about:blank" }));
        self.wait("Page.loadEventFired");
        self.events.clear();
        let url = format!("file://{}{fragment}", file.display());
        let done = self.call("Page.navigate", json!({ "url": url }));
        assert!(done["errorText"].is_null(), "{url}: {done}");
        self.wait("Page.loadEventFired");
    }

    /// The value of an expression of JavaScript.
    pub fn value(&mut self, expression: &str) -> Value {
        let params =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut done = self.call("Runtime.evaluate", params);
        let wrong = &done["exceptionDetails"];
        assert!(wrong.is_null(), "{expression}: {wrong}");
        done["result"]["value"].take()
    }

    /// An expression that is true or false.
    pub fn is(&mut self, expression: &str) -> bool {
        let value = self.value(expression);
        value
            .as_bool()
            .unwrap_or_else(|| panic!("{expression}: {value}"))
    }

    /// An expression that is a number.
    pub fn count(&mut self, expression: &str) -> u64 {
        let value = self.value(expression);
        value
            .as_f64()
            .unwrap_or_else(|| panic!("{expression}: {value}")) as u64
    }

    /// An expression that is a text.
    pub fn text(&mut self, expression: &str) -> String {
        let value = self.value(expression);
        let text = value.as_str();
        text.unwrap_or_else(|| panic!("{expression}: {value}"))
            .to_owned()
    }

    /// Clicks on an element, an expression, as a mouse does: it has to be in sight, with nothing in front of it. `along`: where, from 0 at its
    /// left to 1.
    pub fn click(&mut self, element: &str, along: f64) {
        let found = self.value(&format!(
            "(() => {{ const e = {element}; e.scrollIntoView({{ block: 'center' }}); const r = e.getBoundingClientRect();
                const x = r.left + r.width * {along}, y = r.top + r.height / 2, hit = document.elementFromPoint(x, y);
                return {{ x, y, hit: e.contains(hit), by: hit?.outerHTML.slice(0, 200) }} }})()"
        ));
        assert_eq!(found["hit"], true, "{element} is behind {}", found["by"]);
        for kind in ["mousePressed", "mouseReleased"] {
            let params = json!({ "type": kind, "x": found["x"], "y": found["y"], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", params);
        }
    }

    /// Presses a key that is no letter.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            " " => 32,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            other => panic!("no number is known for {other}"),
        };
        let text = match key {
            "Enter" => "\r",
            " " => " ",
            _ => "",
        };
        for kind in ["keyDown", "keyUp"] {
            let params = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": if kind == "keyDown" { text } else { "" } });
            self.call("Input.dispatchKeyEvent", params);
        }
    }

    /// Types a text where the focus is.
    pub fn write(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// Media as a style sheet sees them; empty: as the browser has them.
    pub fn media(&mut self, medium: &str, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call(
            "Emulation.setEmulatedMedia",
            json!({ "media": medium, "features": features }),
        );
    }

    /// A window of this size.
    pub fn size(&mut self, width: u32, height: u32) {
        let params = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.call("Emulation.setDeviceMetricsOverride", params);
    }

    /// What the page wrote to the console, or failed to do, and the addresses that it asked for; since the last load.
    pub fn heard(&mut self) -> (Vec<String>, Vec<String>) {
        // Events come before the answer to a later call.
        self.value("0");
        let of = |e: &Value| e["method"].as_str().map(str::to_owned).unwrap_or_default();
        let complaints = self.events.iter().filter(|e| COMPLAINTS.contains(&&*of(e)));
        let complaints = complaints.map(Value::to_string).collect();
        let requests = self
            .events
            .iter()
            .filter(|e| of(e) == "Network.requestWillBeSent");
        let requests = requests.map(|e| {
            e["params"]["request"]["url"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        });
        (complaints, requests.collect())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
