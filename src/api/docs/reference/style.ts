/** Style of all pages, for phones and desktops, light and dark. */

export const STYLE = `
:root {
  color-scheme: light dark;
  --text: #1c2024; --quiet: #5b6470; --back: #ffffff; --panel: #f5f7f9; --line: #dde2e8;
  --link: #0b5cad; --get: #0a6b3d; --post: #8a4b00; --patch: #5b3fa8; --delete: #a8201a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e4e8ec; --quiet: #9aa5b1; --back: #14171a; --panel: #1c2126; --line: #323a43;
    --link: #79b8ff; --get: #5fd598; --post: #f0b263; --patch: #b9a2f5; --delete: #ff9d94;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--back); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
:not(pre) > code { overflow-wrap: anywhere; }
p code, td code, li code { background: var(--panel); border-radius: 3px; padding: .1em .3em; }
pre {
  margin: 0; padding: .85rem 1rem; overflow: auto; max-height: 26rem;
  background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
}
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.5rem; line-height: 1.25; margin: 3.5rem 0 .25rem; }
h3 { font-size: 1.15rem; line-height: 1.3; margin: 0 0 .25rem; }
h4 { font-size: .8rem; margin: 1.5rem 0 .4rem; color: var(--quiet); text-transform: uppercase; letter-spacing: .05em; }
p { margin: .5rem 0; max-width: 46rem; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: .5rem; top: .5rem; background: var(--back); padding: .5rem; z-index: 1; }
.layout { max-width: 88rem; margin: 0 auto; }
.plain { max-width: 48rem; margin: 0 auto; }
nav.contents { padding: .75rem 1.25rem; border-bottom: 1px solid var(--line); }
nav.contents summary { cursor: pointer; font-weight: 600; padding: .25rem 0; }
nav.contents ul { list-style: none; margin: 0 0 .75rem; padding: 0; }
nav.contents li a { display: block; padding: .2rem 0; text-decoration: none; font-size: .925rem; }
nav.contents li a:hover { text-decoration: underline; }
nav.contents .group { font-weight: 600; color: var(--text); }
main { padding: 1.5rem 1.25rem 5rem; min-width: 0; }
article { padding: 1.75rem 0; border-top: 1px solid var(--line); }
article > * { min-width: 0; }
.endpoint { margin: 0; overflow-wrap: anywhere; }
.endpoint code { background: none; padding: 0; font-size: .95rem; }
.method { font-weight: 700; margin-right: .4rem; }
.get { color: var(--get); } .post { color: var(--post); }
.patch { color: var(--patch); } .delete { color: var(--delete); }
.anchor { color: inherit; text-decoration: none; }
.anchor:hover::after { content: " #"; color: var(--quiet); }
.needs { color: var(--quiet); font-size: .925rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .925rem; table-layout: fixed; }
thead th:first-child { width: 38%; }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; overflow-wrap: break-word; border-bottom: 1px solid var(--line); }
thead th { color: var(--quiet); font-weight: 500; font-size: .8rem; }
tbody th { font-weight: 400; }
.type { color: var(--quiet); display: block; font-size: .85rem; overflow-wrap: anywhere; }
details.more { margin: .75rem 0; }
details.more > summary { cursor: pointer; color: var(--link); padding: .25rem 0; }
.code { margin-top: 1rem; }
.block { margin-bottom: 1rem; }
.block h4 { margin: 0 0 .35rem; display: flex; align-items: center; gap: .5rem; min-height: 1.9rem; }
.tabs .tabs { margin: 0; }
.tabs { display: flex; gap: .25rem; margin-bottom: .35rem; align-items: center; }
button {
  font: inherit; font-size: .85rem; color: var(--text); background: var(--back); cursor: pointer;
  border: 1px solid var(--line); border-radius: 5px; padding: .3rem .7rem; min-height: 1.9rem;
}
button[aria-selected="true"] { background: var(--panel); border-color: var(--quiet); font-weight: 600; }
button.copy { margin-left: auto; }
.enhanced .snippet > h4 { display: none; }
footer { margin-top: 4rem; color: var(--quiet); font-size: .925rem; }
@media (max-width: 40rem) {
  thead { display: none; }
  table, tbody, tr, th, td { display: block; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  th, td { border: 0; padding: .1rem 0; }
}
@media (min-width: 60rem) {
  .layout { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
  nav.contents {
    position: sticky; top: 0; align-self: start; height: 100vh; overflow-y: auto;
    border: 0; border-right: 1px solid var(--line); padding: 1.5rem 1.25rem;
  }
  nav.contents summary { display: none; }
  nav.contents details::details-content { content-visibility: visible; display: block; }
  main { padding: 2rem 2.5rem 6rem; }
}
@media (min-width: 80rem) {
  article { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 30rem); column-gap: 2.5rem; }
  .code { margin: 0; position: sticky; top: 1rem; align-self: start; }
}
@media print { nav.contents, button { display: none; } pre { max-height: none; } }
`;
