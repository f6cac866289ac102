import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import type { Page } from './page-type.ts'

/**
 * Builds one HTML document that contains the page's script, style and icon.
 * @param folder the folder with the sources of the page: `main.tsx` and `style/page.css`
 * @param title the title of the document
 */
export function buildPage(folder: URL, title: string): Page {
  const [script, style] = bundle(folder)
  const icon = encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#5b4be0"/><path d="M6 23 13 11l5 8 3-4 5 8z" fill="#fff"/><circle cx="22" cy="10" r="2.5" fill="#fff"/></svg>`,
  )
  const head = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:image/svg+xml,${icon}">
<style>${style}</style>
<meta name="settings" content="`
  const tail = `">
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript.</noscript>
<script>${script}</script>
</body>
</html>
`
  return { head, tail, scriptHash: sha256(script), styleHash: sha256(style) }
}

function bundle(folder: URL): [script: string, style: string] {
  const { outputFiles } = buildSync({
    entryPoints: ['main.tsx', 'style/page.css'].map((name) => fileURLToPath(new URL(name, folder))),
    outdir: 'page',
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2023',
    charset: 'utf8',
    legalComments: 'none',
    conditions: ['@genmount/source'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? ''
  return [textOf('.js'), textOf('.css')]
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
