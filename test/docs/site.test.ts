import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makePage } from '../../packages/docs/src/make-page.ts'
import { referencePage } from '../../packages/docs/src/openapi/reference-page.ts'
import { servedDocument } from '../../packages/docs/src/openapi/served-document.ts'
import { siteConfig } from '../../packages/docs/src/site-config.ts'
import { pages } from '../../packages/docs/src/site-map.ts'
import { repo } from '../processes/repo.ts'
import { publishedPackages } from '../published-packages.ts'
import { readmes } from '../readme/code-blocks.ts'
import { expectWholeInterface } from './expect-whole-interface.ts'
import { loadsFromElsewhere, picturesFromElsewhere, styledFromElsewhere } from './loaded-from-elsewhere.ts'

const textOf = (file: string) => readFileSync(join(repo, file), 'utf8')

// The deep suite builds the site.
test('the site has a page for each published package, and each page has a title and text', () => {
  const places = [...pages().values()]
  for (const name of publishedPackages) expect(places).toContain(`packages/${name}.md`)
  for (const file of pages().keys()) {
    const text = textOf(file)
    expect(text, file).toMatch(/^# .*\w/m)
    // The site makes the rest of the shortest page from the OpenAPI document.
    expect(text.length, file).toBeGreaterThan(200)
  }
})

test('each guide has at most 1,500 words', () => {
  const guides = [...pages().keys()].filter((file) => file.startsWith('packages/docs/pages/'))
  const long = guides.filter((file) => textOf(file).split(/\s+/).length > 1_500)
  expect(guides.length).toBeGreaterThan(15)
  expect(long).toEqual([])
})

test('each page of the site that shows code is among the pages whose code is checked or run', () => {
  const unchecked = [...pages().keys()].filter((file) => !readmes.includes(file))
  const showCode = unchecked.filter((file) => /^ *```/m.test(textOf(file)))
  expect(unchecked.length).toBeGreaterThan(5)
  expect(showCode).toEqual([])
})

test('no page of the site has a picture, script or style of another origin', () => {
  const made = [...pages()].map(([file, page]) => {
    const text = makePage(file, textOf(file), { root: '..' })
    // What is shown as code is not loaded.
    return [page, text.replaceAll(/^( *)(```+)[^]*?^\1\2|`[^`\n]*`/gm, '')] as const
  })
  const styles = ['packages/docs/src/theme.css'].map((file) => [file, textOf(file)] as const)
  expect(made.filter(([, text]) => /!\[|<img/.test(text)).length).toBeGreaterThan(2)
  expect(made.flatMap(picturesFromElsewhere)).toEqual([])
  expect(made.flatMap(loadsFromElsewhere)).toEqual([])
  expect([...made, ...styles].flatMap(styledFromElsewhere)).toEqual([])
})

test('the settings of the site load nothing from another origin', () => {
  const { head = [], themeConfig = {} } = siteConfig
  expect(head.map(([element]) => element)).toEqual(['link'])
  expect(JSON.stringify([head, themeConfig]).match(/(?<!xmlns=")(?:https?:)?\/\/[^"]+/g)).toBeNull()
  expect(themeConfig.search).toMatchObject({ provider: 'local' })
})

test('the page of the interface shows all routes, objects and error codes of the OpenAPI document', async () => {
  const document = await servedDocument()
  const page = referencePage(document)
  expectWholeInterface(document, {
    text: page,
    hasHeading: (name) => page.includes(`\n### ${name}\n`),
    hasCode: (word) => page.includes(`\`${word}\``),
  })
})
