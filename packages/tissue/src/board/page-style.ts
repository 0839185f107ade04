// What the board's page looks like. Inline, so that the page is one file that asks nobody for more.

/** Every colour of text has a contrast of at least 4.5 to what it stands on, in both schemes. */
export const pageStyle = `
:root{color-scheme:light dark;--paper:#f5f6f8;--card:#fff;--ink:#1b1f24;--quiet:#59636e;--line:#dde1e6;--code:#f0f2f4;
--link:#0b57d0;--shade:0 1px 2px #1b1f2414,0 1px 6px #1b1f240a;
--ready:#17743a;--ready-paper:#e3f5e8;--in_progress:#0b57d0;--in_progress-paper:#e4edfc;--blocked:#a8420a;
--blocked-paper:#fdeee2;--paused:#7a5a00;--paused-paper:#fbf2d4;--closed:#5b6570;--closed-paper:#eceff2;
--urgent:#b3261e}
@media (prefers-color-scheme:dark){:root{--paper:#101316;--card:#191d22;--ink:#e3e7eb;--quiet:#98a3af;--line:#2c333a;
--code:#23292f;--link:#8ab4f8;--shade:0 1px 2px #0006;
--ready:#74d690;--ready-paper:#14301d;--in_progress:#8ab4f8;--in_progress-paper:#172a47;--blocked:#ffab73;
--blocked-paper:#3a2212;--paused:#e5c04f;--paused-paper:#332a0c;--closed:#a3adb8;--closed-paper:#242a31;
--urgent:#ff9a92}}
*{box-sizing:border-box}
html{font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink)}
a{color:var(--link)}
ol,ul{list-style:none;margin:0;padding:0}
h1,h2,h3,p{margin:0}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.view{position:absolute;opacity:0;pointer-events:none}
.ready{--c:var(--ready);--b:var(--ready-paper)}
.in_progress{--c:var(--in_progress);--b:var(--in_progress-paper)}
.blocked{--c:var(--blocked);--b:var(--blocked-paper)}
.paused,.deferred{--c:var(--paused);--b:var(--paused-paper)}
.open,.closed,.duplicate{--c:var(--closed);--b:var(--closed-paper)}
body>header{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1.25rem;padding:.7rem 1.25rem;
background:var(--card);border-bottom:1px solid var(--line);position:sticky;top:0;z-index:3}
h1{font-size:1.15rem;letter-spacing:-.01em;overflow-wrap:anywhere}
.sum{display:flex;flex-wrap:wrap;gap:.2rem 1rem;color:var(--quiet);font-size:.85rem;font-variant-numeric:tabular-nums}
.sum b{color:var(--c);font-weight:600}
.bar{height:.4rem;border-radius:1rem;background:var(--line);flex:1 1 8rem;max-width:16rem}
.bar rect{fill:var(--c)}
.tools{display:flex;align-items:center;gap:.6rem;margin-left:auto;flex-wrap:wrap}
.tabs{display:flex;border:1px solid var(--line);border-radius:.5rem;overflow:hidden;font-size:.85rem}
.tabs label{padding:.3rem .8rem;cursor:pointer;color:var(--quiet)}
#v-board:checked~header [for=v-board],#v-graph:checked~header [for=v-graph]{background:var(--ink);color:var(--card)}
#v-board:focus-visible~header [for=v-board],#v-graph:focus-visible~header [for=v-graph]{outline:2px solid var(--link)}
#v-board:checked~main .graph,#v-graph:checked~main .board{display:none}
input[type=search]{font:inherit;font-size:.9rem;color:inherit;background:var(--paper);border:1px solid var(--line);
border-radius:.5rem;padding:.3rem .7rem;width:14rem;max-width:100%}
output{color:var(--quiet);font-size:.8rem;font-variant-numeric:tabular-nums}
.board{display:grid;grid-template-columns:repeat(5,minmax(14rem,1fr));gap:.9rem;padding:1rem 1.25rem;overflow-x:auto;
align-items:start}
.column h2{display:flex;align-items:center;gap:.5rem;font-size:.85rem;font-weight:600;padding:.1rem .2rem .6rem}
.column h2::before{content:"";width:.6rem;height:.6rem;border-radius:50%;background:var(--c)}
.column h2 span{color:var(--quiet);font-weight:400;font-variant-numeric:tabular-nums}
.column li{content-visibility:auto;contain-intrinsic-size:auto 5rem;margin-bottom:.55rem;border-radius:.55rem}
.card{display:block;background:var(--card);border-radius:.55rem;padding:.55rem .7rem .6rem;text-decoration:none;
color:inherit;box-shadow:var(--shade);border:1px solid var(--line);border-left:3px solid var(--c)}
.card:hover{border-color:var(--c)}
.card.is-open{outline:2px solid var(--link)}
.top{display:flex;gap:.5rem;align-items:baseline;font-size:.75rem;color:var(--quiet)}
.id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.top .who{margin-left:auto}
.p1{color:var(--urgent);font-weight:700}
.card strong{display:block;font-weight:500;line-height:1.35;margin:.1rem 0;overflow-wrap:anywhere}
.closed .card strong,.duplicate .card strong{color:var(--quiet)}
.marks{display:flex;flex-wrap:wrap;gap:.25rem .45rem;font-size:.75rem;color:var(--quiet)}
.tag{background:var(--code);border-radius:1rem;padding:0 .5rem}
.state{background:var(--b);color:var(--c);border-radius:1rem;padding:.05rem .6rem;font-weight:600;font-size:.8rem}
progress{appearance:none;display:block;width:100%;height:.3rem;border:0;border-radius:1rem;background:var(--line);
overflow:hidden;margin-top:.4rem}
progress::-webkit-progress-bar{background:var(--line)}
progress::-webkit-progress-value{background:var(--ready)}
progress::-moz-progress-bar{background:var(--ready)}
.more,.none{color:var(--quiet);font-size:.8rem;padding:.2rem}
.graph{position:relative}
.canvas{overflow:auto;height:calc(100vh - 3.6rem);cursor:grab;touch-action:none}
.canvas.moves{cursor:grabbing;user-select:none}
.canvas svg{display:block;font-size:12px}
.zoom{position:absolute;right:1.25rem;bottom:1.25rem;display:flex;background:var(--card);border:1px solid var(--line);
border-radius:.5rem;box-shadow:var(--shade);overflow:hidden}
.zoom button{font:inherit;border:0;background:none;color:inherit;padding:.35rem .8rem;cursor:pointer}
.zoom button:hover{background:var(--code)}
.key{position:absolute;left:1.25rem;bottom:1.25rem;background:var(--card);border:1px solid var(--line);
border-radius:.5rem;padding:.35rem .8rem;font-size:.75rem;color:var(--quiet);display:flex;gap:1rem}
.key svg{width:1.6rem;height:.7rem;vertical-align:middle}
svg path{fill:none;stroke:var(--quiet);stroke-width:1.4;opacity:.55}
svg path.parent{stroke-dasharray:2 4;opacity:.5}
svg path.waits{stroke:var(--blocked);opacity:.85}
svg marker path{fill:var(--quiet);stroke:none;opacity:1}
svg #head-waits path{fill:var(--blocked)}
svg .box rect{fill:var(--card);stroke:var(--line)}
svg .box .edge{fill:var(--c);stroke:none}
svg .box text{fill:var(--ink)}
svg .box .small{fill:var(--quiet);font-size:10.5px}
svg .box:hover rect:first-child,svg .box.is-open rect:first-child{stroke:var(--link);stroke-width:2}
svg .closed text,svg .duplicate text{fill:var(--quiet)}
svg.dims .box:not(.lit){opacity:.2}
svg.dims path:not(.lit){opacity:.06}
svg.dims path.lit{stroke-width:2;opacity:1}
svg .box.miss{opacity:.15}
.detail{display:none;position:fixed;z-index:4;top:0;right:0;bottom:0;width:min(36rem,100%);background:var(--card);
border-left:1px solid var(--line);box-shadow:-8px 0 30px #0002;overflow:auto;padding:1.1rem 1.4rem 3rem}
.detail:target{display:block}
.detail .bar2{display:flex;gap:.9rem;align-items:center;font-size:.85rem;color:var(--quiet);margin-bottom:.6rem}
.bar2 .close{margin-left:auto;font-size:1.3rem;line-height:1;text-decoration:none;color:var(--quiet);
padding:.2rem .4rem}
.bar2 label{color:var(--link);cursor:pointer}
.detail .marks{margin:.5rem 0 0;align-items:center}
.detail h2{font-size:1.3rem;line-height:1.25;letter-spacing:-.01em;overflow-wrap:anywhere}
.facts{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.15rem .9rem;margin:.8rem 0;font-size:.87rem}
.facts dt{color:var(--quiet)}
.facts dd{margin:0;overflow-wrap:anywhere}
.detail h3{font-size:.8rem;color:var(--quiet);font-weight:600;margin:1.1rem 0 .3rem}
.links li{font-size:.87rem;margin-bottom:.2rem;overflow-wrap:anywhere}
.links a{text-decoration:none}
.links a:hover{text-decoration:underline}
.links .over{color:var(--quiet);text-decoration:line-through}
.body{overflow-wrap:anywhere}
.text{white-space:pre-wrap}
.mono,code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.875em}
.mono{white-space:pre;overflow-x:auto}
code{background:var(--code);border-radius:.25rem;padding:.1em .3em}
pre{background:var(--code);border-radius:.4rem;padding:.6rem .8rem;margin:.5rem 0;overflow-x:auto}
pre code{background:none;padding:0;font-size:1em}
.comment{border-left:2px solid var(--line);padding:.1rem 0 .1rem .8rem;margin:.5rem 0}
.comment p{font-size:.8rem;color:var(--quiet)}
body>footer{padding:.2rem 1.25rem 1rem;color:var(--quiet);font-size:.75rem}
#v-graph:checked~footer{display:none}
[hidden]{display:none!important}
@media (max-width:60rem){.board{grid-template-columns:repeat(5,16rem)}}
@media (max-width:34rem){.board{grid-template-columns:1fr}.tools{margin-left:0}input[type=search]{width:100%}}
@media print{body{background:none}.tools,.zoom,.key,.detail{display:none!important}body>header{position:static}
.board{display:block!important;columns:3;overflow:visible}.column h2{break-after:avoid}
.column li{content-visibility:visible;break-inside:avoid}.card{box-shadow:none}.graph{display:block!important}
.canvas{height:auto;overflow:visible}.canvas svg{width:100%;height:auto}}
`
