"use strict";
// The item browser. Data come as scripts, one per benchmark, since a page from a folder may not read files.
const byId = id => document.getElementById(id);
const PAGE = 200, FIELDS = ["split", "type", "depth", "label"], SYSTEMS = ["wrong", "right"], STATE = [...FIELDS, ...SYSTEMS, "search"];
const stored = new Map(), waiting = new Map();
let items = [], found = [], shown = PAGE, current = null;

async function received(name, text) {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const rows = JSON.parse(await new Response(stream).text());
  for (const row of rows) {
    // What is empty is left out of a row; a data set of questions alone has no passage.
    row.context ??= "";
    row.question ??= "";
    row.label = row.answer === undefined ? "" : isLabelled(row) ? row.options[row.answer] : letter(row.answer);
    row.plain = [row.id, row.context, row.question, ...(row.options || []), ...(row.parts || []).map(part => part.text + " " + part.translation)]
      .join("\n").toLowerCase();
  }
  stored.set(name, rows);
  waiting.get(name)?.(rows);
}

function load(name) {
  if (stored.has(name)) return Promise.resolve(stored.get(name));
  return new Promise((resolve, reject) => {
    waiting.set(name, resolve);
    const script = document.createElement("script");
    script.src = `${FOLDER}/${name}.js`;
    script.onerror = () => reject(new Error(`${script.src} cannot be read; keep the folder next to this page.`));
    document.head.append(script);
  });
}

const letter = place => String.fromCharCode(65 + place);
const isLabelled = row => (row.options || []).every(option => /^[A-Za-z_]+$/.test(option) && option.length > 1);

// The page is English; of a Chinese text the browser must know it, to choose its characters and its voice.
const languageOf = text => /[\u4e00-\u9fff]/.test(text) ? "zh" : undefined;

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined && value !== false) made.setAttribute(key, value);
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
}

// --- the list ---

function choices(field) {
  const values = [...new Set(items.map(row => row[field]).filter(value => value !== undefined && value !== ""))];
  return values.sort((a, b) => typeof a === "number" ? a - b : String(a).localeCompare(String(b)));
}

function fillFilters() {
  for (const field of FIELDS) {
    const values = choices(field), select = byId(field);
    select.replaceChildren(element("option", { value: "" }, "all"), ...values.map(value => element("option", { value }, String(value))));
    select.parentElement.hidden = values.length < 2;
  }
  const systems = [...new Set(items.flatMap(row => Object.keys({ ...row.answers, ...row.worth })))];
  for (const id of SYSTEMS) {
    byId(id).replaceChildren(element("option", { value: "" }, "anyone"), ...systems.map(name => element("option", { value: name }, name)));
    byId(id).parentElement.hidden = !systems.length;
  }
}

function isWrong(row, system) {
  const parts = row.worth?.[system];
  if (parts) return parts.some(part => part[1] < part[2]);
  const given = row.answers?.[system];
  return given !== undefined && given.some((said, rotation) => !isRight(row, said, rotation));
}

const isAnswered = (row, system) => row.worth?.[system] || row.answers?.[system];

function isRight(row, said, rotation) { return contentOf(row, said, rotation) === row.answer; }

// The option of the unrotated instance that an answer names, -1 for none.
function contentOf(row, said, rotation) {
  if (said === null || said === undefined) return -1;
  const label = (row.options || []).findIndex(option => option.toLowerCase() === said.toLowerCase());
  if (isLabelled(row) && label >= 0) return label;
  if (/^[A-Z]$/.test(said)) return (said.charCodeAt(0) - 65 + rotation) % row.options.length;
  return label;
}

function filter() {
  // Every word must occur, and what stands between quotes as it stands there.
  const words = (byId("search").value.toLowerCase().match(/"[^"]+"|[^\s"]+/g) || []).map(word => word.replaceAll('"', ""));
  const [wrong, right] = SYSTEMS.map(id => byId(id).value);
  const wanted = FIELDS.map(field => [field, byId(field).value]).filter(([, value]) => value);
  found = items.filter(row => wanted.every(([field, value]) => String(row[field] ?? "") === value)
    && words.every(word => row.plain.includes(word)) && (!wrong || isWrong(row, wrong))
    && (!right || isAnswered(row, right) && !isWrong(row, right)));
  shown = PAGE;
  history.replaceState(null, "", address(current));
  list();
}

// What a chosen system answered, next to the other's.
function said(row) {
  const chosen = SYSTEMS.map(id => byId(id).value).filter(system => row.answers?.[system]);
  return chosen.map(system => `${system}: ${row.answers[system].map(answer => answer ?? "none").join(" ")}`).join(" · ");
}

function list() {
  byId("count").textContent = `${found.length.toLocaleString("en")} of ${items.length.toLocaleString("en")} instances`;
  byId("list").replaceChildren(...found.slice(0, shown).map(row => element("li", {}, element("a",
    { href: address(row), "aria-current": row === current && "true" },
    element("b", {}, row.id), element("span", { lang: languageOf(row.context) }, [row.type, row.label].filter(Boolean).join(" · ") + "  " + row.context.slice(0, 90)),
    said(row) && element("span", {}, said(row))))));
  byId("more").hidden = found.length <= shown;
}

// --- the colours: words of the passage that word a symbol ---

const tokens = text => [...text.matchAll(/\p{Script=Han}|[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)]
  .map(match => ({ word: match[0].toLowerCase(), start: match.index, end: match.index + match[0].length }));

function spans(text, words) {
  const here = tokens(text), runs = [];
  for (const [symbol, wordings] of Object.entries(words || {})) {
    for (const wording of wordings) {
      const own = tokens(wording).map(token => token.word);
      const least = Math.min(own.length, Math.max(3, Math.ceil(own.length / 2)));
      // Longest common runs of words: a negation or a quantifier changes the beginning, an inserted "not" cuts in two.
      for (let at = 0; at < here.length; at++) for (let from = 0; from + least <= own.length; from++) {
        if (at && from && here[at - 1].word === own[from - 1]) continue;
        let length = 0;
        while (at + length < here.length && from + length < own.length && here[at + length].word === own[from + length]) length++;
        if (length >= least) runs.push({ symbol, start: here[at].start, end: here[at + length - 1].end, length });
      }
    }
  }
  runs.sort((a, b) => b.length - a.length || a.start - b.start);
  const chosen = [];
  for (const run of runs) if (!chosen.some(other => run.start < other.end && other.start < run.end)) chosen.push(run);
  return chosen.sort((a, b) => a.start - b.start);
}

function coloured(text, row, hues) {
  const parts = [];
  let place = 0;
  for (const { symbol, start, end } of spans(text, row.words)) {
    const mark = element("mark", { style: `--hue:${hues.get(symbol)}`, title: symbol }, text.slice(start, end));
    if (symbol.length < 3) mark.append(element("sub", {}, symbol));
    parts.push(text.slice(place, start), mark);
    place = end;
  }
  parts.push(text.slice(place));
  return parts;
}

function passage(row, hues) {
  const used = (row.used || []).filter(sentence => row.context.includes(sentence));
  const cuts = used.map(sentence => [row.context.indexOf(sentence), sentence.length]).sort((a, b) => a[0] - b[0]);
  const body = element("p", { class: "text", lang: languageOf(row.context) });
  let place = 0;
  for (const [start, length] of cuts) {
    if (start < place) continue;
    body.append(...coloured(row.context.slice(place, start), row, hues),
      element("span", { class: "used", title: "used in the proof" }, ...coloured(row.context.slice(start, start + length), row, hues)));
    place = start + length;
  }
  body.append(...coloured(row.context.slice(place), row, hues));
  const key = element("p", { class: "hint" });
  if (hues.size) key.append("A colour and its letter: the words of one symbol. ");
  if (cuts.length) key.append(element("span", { class: "used" }, "Underlined"), ": used in the proof.");
  return element("div", {}, body, key.hasChildNodes() ? key : null);
}

// --- one instance ---

function lines(pairs, css) {
  return element("dl", {}, ...pairs.flatMap(([name, text]) => [element("dt", {}, name), element("dd", { class: css }, text)]));
}

function fold(title, pairs, css) {
  return pairs?.length ? element("details", { "data-part": title.split(" ")[0].toLowerCase() }, element("summary", {}, title), lines(pairs, css)) : null;
}

function answerTable(row) {
  const given = Object.entries(row.answers || {});
  if (!given.length) return null;
  const rotations = Math.max(...given.map(([, said]) => said.length)), labels = isLabelled(row);
  const heads = rotations > 1 ? [...Array(rotations).keys()].map(rotation => `rotation ${rotation}`) : ["answer"];
  return element("section", { id: "answers" }, element("h3", {}, "Answers"),
    element("div", { class: "box", tabindex: "0", role: "region", "aria-label": "Answers" }, element("table", {},
      element("thead", {}, element("tr", {}, ...["", ...heads].map(head => element("th", { scope: "col" }, head)))),
      element("tbody", {}, ...given.map(([system, said]) => element("tr", {}, element("th", { scope: "row" }, system),
        ...heads.map((_, rotation) => {
          const answer = said[rotation], content = contentOf(row, answer, rotation);
          return element("td", { class: content === row.answer ? "ok" : "far" }, answer ?? "none", content === row.answer ? " ✓" : " ✗",
            !labels && rotation && content >= 0 ? element("small", {}, `option ${letter(content)}`) : null);
        })))))),
    rotations > 1 ? element("p", { class: "hint" }, "In rotation r the options are shifted by r places; below a letter stands the option that it named, as lettered above.") : null);
}

function worthTable(row) {
  const given = Object.entries(row.worth || {});
  if (!given.length) return null;
  const tracks = [...new Set(given.flatMap(([, parts]) => parts.map(part => part[0])))];
  return element("section", { id: "worth" }, element("h3", {}, "What replies were worth"),
    element("div", { class: "box", tabindex: "0", role: "region", "aria-label": "What replies were worth" }, element("table", {},
      element("thead", {}, element("tr", {}, ...["", ...tracks].map(head => element("th", { scope: "col" }, head.replaceAll("_", " "))))),
      element("tbody", {}, ...given.map(([system, parts]) => element("tr", {}, element("th", { scope: "row" }, system),
        ...tracks.map(track => {
          const part = parts.find(one => one[0] === track);
          if (!part) return element("td", {}, "–");
          return element("td", { class: part[1] === part[2] ? "ok" : "far" }, `${part[1]} of ${part[2]}`, part[1] === part[2] ? " ✓" : " ✗");
        })))))),
    element("p", { class: "hint" }, "Right sub-questions; of formalizations the atoms of the rubric that pass."));
}

function show(row) {
  current = row;
  const names = Object.keys(row.words || {}), hues = new Map(names.map((name, place) => [name, Math.round(place * 360 / Math.max(names.length, 6))]));
  const tags = [row.split, row.type, row.depth !== undefined && `depth ${row.depth}`, ...(row.forms || []).map(form => /^\d+$/.test(form) ? `rule class ${form}` : form.replaceAll("_", " "))].filter(Boolean);
  const options = (row.options || []).map((option, place) => element("li", { class: place === row.answer && "right" },
    element("span", {}, isLabelled(row) ? "" : letter(place)),
    element("span", { lang: languageOf(option) }, ...coloured(option, row, hues), place === row.answer ? " ✓" : "",
      row.optionFormulas?.[place] ? element("span", { class: "formula", hidden: "" }, row.optionFormulas[place]) : null)));
  const formulas = fold("Formulas and what they stand for", [...(row.formulas || []), ...(row.meaning || [])]);
  formulas?.addEventListener("toggle", () => byId("item").querySelectorAll(".formula").forEach(each => each.hidden = !formulas.open));
  const parts = (row.parts || []).map(part => [part.name, element("span", {}, element("span", { lang: languageOf(part.text) }, ...coloured(part.text, row, hues)),
    part.translation ? element("span", { class: "hint", style: "display:block" }, part.translation) : "", element("b", {}, ` → ${part.answer}`))]);
  byId("item").replaceChildren(...[
    element("h2", {}, row.id), element("p", { class: "tags" }, ...tags.map(tag => element("span", {}, tag))),
    passage(row, hues), parts.length ? lines(parts, "words") : element("p", { class: "text question", lang: languageOf(row.question) }, ...coloured(row.question, row, hues)),
    element("ol", { class: "options" }, ...options), formulas, fold("Proof, step by step", row.proof), answerTable(row), worthTable(row)].filter(Boolean));
  const place = found.indexOf(row);
  if (place >= shown) { shown = PAGE * Math.ceil((place + 1) / PAGE); list(); }
  document.querySelectorAll("#list a").forEach(link => link.toggleAttribute("aria-current", link.hash === location.hash));
  reveal();
}

// Bring the instance that is shown into sight in the list, without moving the page.
function reveal() {
  const link = document.querySelector("#list a[aria-current]"), box = link?.closest("nav, ol");
  for (let part = box; part && part !== document.body; part = part.parentElement) {
    if (part.scrollHeight <= part.clientHeight) continue;
    const own = link.getBoundingClientRect(), room = part.getBoundingClientRect();
    if (own.top < room.top || own.bottom > room.bottom) part.scrollTop += own.top - room.top - part.clientHeight / 3;
    return;
  }
}

// --- addresses ---

// An id may hold a percent sign that begins no code.
function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

// The address of an instance with the filters that are set.
function address(row) {
  const set = STATE.map(id => [id, byId(id).value]).filter(([, value]) => value);
  return `#${byId("benchmark").value}/${row?.id ?? ""}${set.length ? "?" : ""}${new URLSearchParams(set)}`;
}

async function go() {
  const [, plain, set] = location.hash.slice(1).match(/^(.*?)(?:\?((?:split|type|depth|label|wrong|right|search)=.*))?$/);
  const wanted = decoded(plain), select = byId("benchmark"), state = new URLSearchParams(set);
  const names = [...select.options].map(option => option.value), cut = wanted.indexOf("/");
  const name = names.includes(wanted.slice(0, cut)) ? wanted.slice(0, cut) : null;
  const id = name ? wanted.slice(cut + 1) : wanted;
  try {
    // An id alone is looked for in every benchmark, the one that is open first.
    for (const each of name ? [name] : id ? [select.value, ...names.filter(other => other !== select.value)] : [select.value]) {
      const rows = await load(each), row = rows.find(one => one.id === id);
      if (name || row || !id) {
        if (items !== rows) { select.value = each; items = rows; fillFilters(); found = []; }
        if (!found.length || STATE.some(field => byId(field).value !== (state.get(field) ?? ""))) {
          for (const field of STATE) byId(field).value = state.get(field) ?? "";
          current = row;
          filter();
        }
        if (row || found.length) show(row || found[0]);
        if (id && !row) byId("item").replaceChildren(element("p", {}, `There is no instance ${id} here.`));
        return;
      }
    }
    byId("item").replaceChildren(element("p", {}, `There is no instance ${id} here.`));
  } catch (error) {
    byId("count").textContent = error.message;
  }
}

function step(by) {
  const next = found[found.indexOf(current) + by];
  if (next) location.hash = address(next);
}

byId("benchmark").addEventListener("change", () => { location.hash = ""; items = []; go(); });
for (const id of [...FIELDS, ...SYSTEMS]) byId(id).addEventListener("change", filter);
byId("search").addEventListener("input", filter);
byId("filters").addEventListener("submit", event => event.preventDefault());
byId("filters").addEventListener("reset", () => {
  const name = byId("benchmark").value;
  setTimeout(() => { byId("benchmark").value = name; filter(); });
});
byId("more").addEventListener("click", () => { shown += PAGE; list(); });
byId("previous").addEventListener("click", () => step(-1));
byId("next").addEventListener("click", () => step(1));
addEventListener("hashchange", go);
addEventListener("keydown", event => {
  if (/INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return;
  if (event.key === "j") step(1);
  if (event.key === "k") step(-1);
});
go();
