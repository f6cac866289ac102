// @module-tag needs/chromium
import { fakeModels, fakeProvider } from '@genmount/testing'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { openPlayground, servePlayground } from './playground-world.ts'

const enlarger = {
  id: 'enlarger',
  outputKind: 'image' as const,
  input: toStandardJsonSchema(v.strictObject({ image: v.string() })),
}

const editor = {
  id: 'editor',
  outputKind: 'image' as const,
  input: toStandardJsonSchema(
    v.strictObject({ prompt: v.pipe(v.string(), v.maxLength(40)), image: v.optional(v.string()) }),
  ),
}

const oneWord = {
  id: 'one-word',
  outputKind: 'image' as const,
  input: toStandardJsonSchema(v.strictObject({ prompt: v.pipe(v.string(), v.regex(/^\S+$/)) })),
}

/** A page whose first model is `editor`, and the bodies of the jobs that it has asked for. */
async function openEditor() {
  const models = [editor, enlarger, oneWord, ...fakeModels]
  const opened = await openPlayground(await servePlayground({ providers: [fakeProvider({ models })] }))
  const bodies: Record<string, unknown>[] = []
  opened.page.on('request', (request) => {
    if (request.method() === 'POST' && !request.url().includes('dry_run'))
      bodies.push(request.postDataJSON() as Record<string, unknown>)
  })
  const typeLink = async (text: string) => {
    await opened.page.getByRole('button', { name: 'Give a link' }).click()
    await opened.page.getByLabel('Link').fill(text)
  }
  return { ...opened, bodies, typeLink }
}

test('Enter in the field for a link adds the link and sends nothing', async () => {
  const { page, write, typeLink, bodies, generate, card } = await openEditor()
  await write('a kite')
  await typeLink('https://example.org/kite.png')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove example.org' }).waitFor()
  await page.getByText('The service reads the link when the job starts').waitFor()
  expect(bodies).toEqual([])
  await generate()
  await card.first().waitFor()
  expect(bodies).toEqual([{ model: 'editor', prompt: 'a kite', image: 'https://example.org/kite.png' }])
})

test('a link that the user has typed and not added counts, and what is no link is not sent', async () => {
  const { page, write, typeLink, bodies, generate, card } = await openEditor()
  await write('a kite')
  await typeLink('example.org')
  await generate()
  await page.getByText('“example.org” is not a link').waitFor()
  expect(bodies).toEqual([])
  await page.getByLabel('Link').fill('https://example.org/kite.png')
  await generate()
  await card.first().waitFor()
  expect(bodies).toEqual([{ model: 'editor', prompt: 'a kite', image: 'https://example.org/kite.png' }])
})

test('the playground sends no job of a comparison when one of the models would refuse its input', async () => {
  const { page, write, bodies, generate } = await openEditor()
  await page.getByRole('button', { name: 'Compare with another model' }).click()
  await page.getByRole('option', { name: /^enlarger/ }).click()
  await write('a kite')
  await generate()
  await page.getByText('enlarger: Image is needed.').waitFor()
  expect(bodies).toEqual([])
  await page.getByRole('button', { name: 'Do not compare with enlarger' }).click()
  await page.getByRole('button', { name: 'Compare with another model' }).click()
  await page.getByRole('option', { name: /^one-word/ }).click()
  await generate()
  await page.getByText('one-word: prompt').first().waitFor()
  expect(bodies).toEqual([])
})

test('the playground says before a second press that the same would be sent again', async () => {
  const { page, choose, typeLink, generate, card } = await openEditor()
  await choose('enlarger')
  await page.locator('dialog').waitFor({ state: 'detached' })
  await typeLink('https://example.org/kite.png')
  const hint = page.getByText('You have sent exactly this before')
  expect(await hint.count()).toBe(0)
  await generate()
  await card.first().waitFor()
  await hint.waitFor()
})

test('the field for a prompt takes text after a change from a model that limits it to one that does not', async () => {
  const { page, choose, write } = await openEditor()
  await choose('fake-image')
  await page.locator('dialog').waitFor({ state: 'detached' })
  await write('a kite')
  expect(await page.getByLabel('Prompt', { exact: true }).inputValue()).toBe('a kite')
})

test('the playground offers several versions only of a model that makes different ones', async () => {
  const { page, choose } = await openEditor()
  const versions = page.getByRole('radiogroup', { name: 'How many versions' })
  await versions.waitFor()
  await choose('enlarger')
  await versions.waitFor({ state: 'detached' })
})
