import { describe, expect, test } from 'vitest'
import { makePage, searchedText } from './make-page.ts'

const made = (text: string, source?: string) =>
  makePage('packages/core/README.md', text, { root: '../../../../..', source })

describe('a page of the site', () => {
  test('links to other pages of the site and to their headings', () => {
    expect(made('[a](../client)')).toBe('[a](/packages/client.md)')
    expect(made('[a](../client/README.md#retries)')).toBe('[a](/packages/client.md#retries)')
    expect(made('[a](PRODUCTION.md) and [b](#words)')).toBe(
      '[a](/production.md) and [b](/packages/core.md#words)',
    )
    expect(made('[a][b](https://example.org/#c)')).toBe('[a][b](https://example.org/#c)')
  })

  test('links to the page that has the section of the main README, or else to the front page', () => {
    expect(made('[a](../../README.md#keep-jobs-and-files)')).toBe('[a](/keep-jobs.md)')
    expect(made('[a](../../README.md#try-it)')).toBe('[a](/index.md)')
  })

  test('links to source files when their address is known, and otherwise has only their names', () => {
    const link = '[`job-machine.ts`](src/job/job-machine.ts)'
    expect(made(link)).toBe('`job-machine.ts`')
    expect(made(link, 'https://github.example/a/b/blob/1')).toBe(
      '[`job-machine.ts`](https://github.example/a/b/blob/1/packages/core/src/job/job-machine.ts)',
    )
  })

  test('shows pictures where they are in the repository', () => {
    expect(made('![A page](../playground/pictures/playground.webp)')).toBe(
      '![A page](../../../../../packages/playground/pictures/playground.webp)',
    )
  })

  test('does not change links and pictures in code', () => {
    const code = '`[a](b)` and\n\n```ts\nconst list = all[0](b)\n# no heading\n```\n'
    expect(made(code)).toBe(code)
  })

  test.each([
    ['[a](nowhere.md)', /links to nowhere.md/],
    ['[a](../client#nowhere)', /#nowhere of packages\/client/],
    ['[a](#nowhere)', /#nowhere of packages\/core/],
    ['<!-- include --> [a](../../README.md#nowhere)', /README.md#nowhere/],
  ])('is not made where it leads nowhere: %s', (text, error) => {
    expect(() => made(text)).toThrow(error)
  })

  test('includes a section up to the next heading of its level, without links to the page itself', () => {
    const page = made('before\n\n<!-- include --> [a](../../README.md#keep-jobs-and-files)\n\nafter')
    expect(page).toMatch(/^before\n\nThe service above keeps everything in memory[^]*\n\nafter$/)
    expect(page).not.toMatch(/^## |<!-- more|says what outlives/m)
  })

  test('is searched without the sections that have a page of their own, and without headings that have no other text', () => {
    const section = '<!-- include --> [a](../client/README.md#retries)'
    const page = made(`# a\n\nb\n\n## c\n\n${section}\n\n## d\n\n${section}\n\ne\n\n## f\n\n${section}\n`)
    expect(page.match(/Idempotency-Key/g)?.length).toBeGreaterThan(2)
    expect(searchedText(page)).toMatch(/^# a\n\nb\n\n## d\n\n\s*e\s*$/)
    const fromMainReadme = made('# a\n\n<!-- include --> [a](../../README.md#keep-jobs-and-files)')
    expect(searchedText(fromMainReadme)).toBe(fromMainReadme)
  })
})
