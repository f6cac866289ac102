// @module-tag needs/chromium
import { outputFacts } from '@genmount/output-facts'
import { provenance } from '@genmount/provenance'
import { fakeFile, fakeProvider } from '@genmount/testing'
import { expect, test } from 'vitest'
import { openPlayground, servePlayground } from './playground-world.ts'

const outputs = [{ bytes: fakeFile('image').bytes }, { bytes: fakeFile('video').bytes }]

test('the playground says in a line what each output is, where the service knows it, also on a telephone', async () => {
  const world = await servePlayground({
    providers: [fakeProvider({ behave: () => ({ outputs }) })],
    plugins: [provenance(), outputFacts()],
    playground: { outputFacts: true },
  })
  const { page, problems, write, generate, card } = await openPlayground(world)
  await write('a kite')
  await generate()
  await card.getByText(/^8 × 8, [\d.]+ (?:bytes|kB), PNG, marked as made by AI$/).waitFor()
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const line = card.locator('.output-facts')
    await line.waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    )
  }
  await card.getByRole('radio', { name: '2' }).check()
  await card.getByText(/MP4/).waitFor()
  expect(problems).toEqual([])
})

test('the playground says in a line under a picture which words of the prompt its model has drawn', async () => {
  const picture = { bytes: fakeFile('image').bytes, revisedPrompt: 'kite, red' }
  const world = await servePlayground({
    providers: [fakeProvider({ behave: () => ({ outputs: [picture] }) })],
    plugins: [outputFacts()],
    playground: { outputFacts: true },
  })
  const { problems, write, generate, card } = await openPlayground(world)
  await write('A kite over a red robot')
  await generate()
  await card.getByText(/^Drawn: kite, red\./).waitFor()
  expect(problems).toEqual([])
})
