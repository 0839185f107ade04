// What a page looks like and how its search box works. Inline, so that the page is one file that asks nobody for more.

/** Colours that senders are told apart by; as many as the style has. */
export const senderColours = 10

/** Every colour of text has a contrast of at least 4.5 to what it stands on, in both schemes. */
export const style = `
:root{color-scheme:light dark;--paper:#fbfbf9;--card:#fff;--ink:#1c2024;--quiet:#59636e;--line:#dcdfe3;
--code:#f1f3f4;
--link:#0b57d0;--urgent:#b3261e;--urgent-paper:#fdeceb;--mark:#fff4c2;
--c0:#0b57d0;--c1:#18742f;--c2:#7c46d9;--c3:#8a5b00;--c4:#b02a7c;--c5:#0b6b85;--c6:#b3261e;--c7:#4650c4;
--c8:#55606b;--c9:#7a4a12}
@media (prefers-color-scheme:dark){:root{--paper:#14171a;--card:#1b1f23;--ink:#e4e7ea;--quiet:#9aa5b0;
--line:#32383f;--code:#252a30;
--link:#8ab4f8;--urgent:#ff9a92;--urgent-paper:#3b1f1e;--mark:#332c0c;
--c0:#82b4ff;--c1:#6fd68a;--c2:#c5a5ff;--c3:#e0b34c;--c4:#ff9bce;--c5:#62cfe2;--c6:#ff9a92;--c7:#a8b2ff;
--c8:#b4c0cc;--c9:#dfb27f}}
*{box-sizing:border-box}
html{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;
-webkit-text-size-adjust:100%;scroll-padding-top:4.5rem}
body{margin:0;background:var(--paper);color:var(--ink)}
a{color:var(--link)}
body>header,main,body>footer{max-width:54rem;margin:0 auto;padding:0 1.25rem}
body>header{padding-top:2.5rem}
h1{margin:0;font-size:1.75rem;line-height:1.2;letter-spacing:-.01em;overflow-wrap:anywhere}
.about{margin:.4rem 0 0;color:var(--quiet)}
form{position:sticky;top:0;z-index:1;background:var(--paper);border-bottom:1px solid var(--line);
margin-top:1.25rem}
form div{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;max-width:54rem;margin:0 auto;
padding:.6rem 1.25rem}
input,select{font:inherit;color:inherit;background:var(--card);border:1px solid var(--quiet);
border-radius:.4rem;padding:.3rem .6rem;max-width:100%}
input{flex:1 1 12rem;min-width:0}
output{color:var(--quiet);font-size:.875rem;font-variant-numeric:tabular-nums}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
h2{margin:2rem 0 .75rem;font-size:.875rem;font-weight:600;color:var(--quiet);display:flex;align-items:center;
gap:.75rem}
h2::after{content:"";flex:1;border-top:1px solid var(--line)}
ol,ul{list-style:none;margin:0;padding:0}
.threads>li{content-visibility:auto;contain-intrinsic-size:auto 7rem;padding:.15rem 0}
.threads ol{margin-left:.95rem;padding-left:1.35rem;border-left:2px solid var(--line)}
article{display:grid;grid-template-columns:2rem minmax(0,1fr);gap:0 .75rem;padding:.5rem .6rem .6rem 0;
border-radius:.5rem}
article:target{background:var(--mark)}
article>*{grid-column:2}
.face{grid-column:1;grid-row:1/span 2;width:2rem;height:2rem;border-radius:50%;background:var(--c);
color:var(--paper);
display:flex;align-items:center;justify-content:center;font-weight:600;font-size:.9rem;
-webkit-print-color-adjust:exact;print-color-adjust:exact}
.head{display:flex;flex-wrap:wrap;align-items:baseline;gap:.1rem .6rem;min-width:0}
h3{margin:0;font-size:1rem;font-weight:600;color:var(--c);overflow-wrap:anywhere}
.head span,.head a,.note{font-size:.8125rem;color:var(--quiet);overflow-wrap:anywhere}
.head a{text-decoration:none;font-variant-numeric:tabular-nums}
.head a:hover{text-decoration:underline}
.head .tag,.head .urgent{border-radius:1rem;padding:0 .5rem;border:1px solid var(--line)}
.head .urgent{color:var(--urgent);border-color:var(--urgent);font-weight:600}
.is-urgent{background:var(--urgent-paper);box-shadow:inset 3px 0 var(--urgent);padding-left:.6rem}
.body{overflow-wrap:anywhere}
.long{max-height:36rem;overflow:auto;border:1px solid var(--line);border-radius:.4rem;padding:.5rem .75rem;
margin-top:.35rem}
.text{white-space:pre-wrap}
.mono,code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;
font-size:.875em}
.mono{white-space:pre;overflow-x:auto}
code{background:var(--code);border-radius:.25rem;padding:.1em .3em}
pre{background:var(--code);border-radius:.4rem;padding:.6rem .8rem;margin:.5rem 0;overflow-x:auto;
white-space:pre}
pre code{background:none;padding:0;font-size:1em}
.files{display:flex;flex-wrap:wrap;gap:.4rem;margin-top:.4rem}
.files li{border:1px solid var(--line);border-radius:.4rem;padding:.15rem .6rem;font-size:.875rem;
background:var(--card)}
.files small{color:var(--quiet)}
details{margin-top:.3rem;font-size:.875rem}
summary{color:var(--quiet);cursor:pointer}
.note{margin:.25rem 0 0}
body>footer{margin-top:3rem;padding-bottom:2rem;color:var(--quiet);font-size:.875rem}
table{border-collapse:collapse;width:100%;margin-top:1.5rem}
th,td{text-align:left;padding:.45rem .75rem .45rem 0;border-bottom:1px solid var(--line);
vertical-align:baseline;overflow-wrap:anywhere}
th{font-size:.875rem;color:var(--quiet)}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}
[hidden]{display:none!important}
@media (max-width:36rem){
body>header,main,body>footer,form div{padding-left:.8rem;padding-right:.8rem}
body>header{padding-top:1.25rem}
h1{font-size:1.4rem}
.threads ol{margin-left:.2rem;padding-left:.6rem}
article{grid-template-columns:1.5rem minmax(0,1fr);gap:0 .5rem}
.face{width:1.5rem;height:1.5rem;font-size:.75rem}
.wide{display:none}
}
@media print{
form{display:none}
body{background:none}
body>header,main,body>footer{max-width:none;padding:0}
.threads>li{content-visibility:visible}
article{break-inside:avoid}
.long{max-height:none;overflow:visible}
.mono,pre{white-space:pre-wrap}
}
${Array.from({ length: senderColours }, (_, index) => `.c${index}{--c:var(--c${index})}`).join('')}
`

/** Filters by text and sender. Without it the page is whole, and the form stays hidden. */
export const script = `
const form = document.querySelector('form')
const [words, sender, shown] = ['words', 'sender', 'shown'].map((name) => form.elements[name])
const articles = [...document.querySelectorAll('article')]
const texts = new Map()
const textOf = (article) => {
  if (!texts.has(article)) texts.set(article, article.textContent.toLowerCase())
  return texts.get(article)
}
const filter = () => {
  const wanted = words.value.toLowerCase().split(/\\s+/).filter(Boolean)
  let count = 0
  for (const article of articles) {
    const isFrom = !sender.value || article.dataset.from === sender.value
    const isMeant = isFrom && wanted.every((word) => textOf(article).includes(word))
    article.hidden = !isMeant
    if (isMeant) count += 1
  }
  for (const part of document.querySelectorAll('main section, .threads > li')) {
    part.hidden = !part.querySelector('article:not([hidden])')
  }
  shown.value = count === articles.length ? '' : count + ' of ' + articles.length
}
let waiting
const soon = () => { clearTimeout(waiting); waiting = setTimeout(filter, 120) }
form.hidden = false
form.addEventListener('input', soon)
form.addEventListener('submit', (event) => { event.preventDefault(); filter() })
filter()
`
