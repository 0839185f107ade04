/** The looks of the report, for both schemes of colour and for paper. */
export const htmlStyle = `
:root { color-scheme: light dark; --ink: #1c1e21; --soft: #5c6370; --page: #fafafa; --card: #fff; --line: #dcdfe4;
  --high: #b3261e; --medium: #8a5300; --low: #3b5b92; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e6ea; --soft: #9aa2ae; --page: #16181c; --card: #1f2227;
  --line: #363b43; --high: #ff8a80; --medium: #f0b356; --low: #94b4ee; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1rem 4rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.6rem; } h2 { margin: 2rem 0 0.5rem; font-size: 1.2rem; text-transform: capitalize; }
h3 { margin: 0; font-size: 1.05rem; } p { margin: 0.4rem 0; overflow-wrap: anywhere; }
.query { font-size: 1.1rem; } .totals, .facts { color: var(--soft); }
nav { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 1rem 0; }
nav a { padding: 0.2rem 0.8rem; border: 1px solid currentColor; border-radius: 1rem; text-decoration: none; }
.high { --tone: var(--high); } .medium { --tone: var(--medium); } .low { --tone: var(--low); }
nav a { color: var(--tone); }
article { margin: 0.8rem 0; padding: 0.9rem 1.1rem; background: var(--card); border: 1px solid var(--line);
  border-left: 4px solid var(--tone); border-radius: 6px; break-inside: avoid; }
article:target { outline: 2px solid var(--tone); }
.place { color: var(--soft); } code { font: 0.875rem/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: 0.6rem 0; padding: 0.6rem 0.8rem; overflow-x: auto; max-height: 24rem; background: var(--page);
  border: 1px solid var(--line); border-radius: 4px; tab-size: 4; }
pre code { overflow-wrap: normal; }
.disputed { color: var(--high); font-weight: 600; }
summary { cursor: pointer; } details ul { margin: 0.3rem 0; padding-left: 1.4rem; }
.facts { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; margin: 0.6rem 0 0; padding: 0;
  list-style: none; font-size: 0.875rem; }
@media print { body { max-width: none; } nav { display: none; } pre { max-height: none; white-space: pre-wrap; } }
`
