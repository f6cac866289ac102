// @module-tag needs/chromium
import { operator } from '@genmount/operator'
import { apiKeys } from '@genmount/node-http'
import { expect, test } from 'vitest'
import { openTab } from '../browsers/open-tab.ts'
import {
  clientKey,
  createEachState,
  openOperator,
  operatorKey,
  serveOperator,
  typeKey,
} from './operator-world.ts'

test("the page keeps the operator's key in its tab alone, puts it into no address, and forgets it on demand", async () => {
  const world = await serveOperator()
  const { page } = await openOperator(world)
  const addresses: string[] = []
  page.on('request', (request) => void addresses.push(request.url()))
  await page.reload()
  await page.getByText('You are maria.').waitFor()
  expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ''])
  await page.getByRole('button', { name: 'Forget key' }).click()
  await page.getByLabel("Operator's key").waitFor()
  expect(await page.evaluate((key) => JSON.stringify({ ...sessionStorage }).includes(key), operatorKey)).toBe(
    false,
  )
  await page.reload()
  await page.getByLabel("Operator's key").waitFor()
  for (const address of [...addresses, page.url()]) expect(address).not.toContain(operatorKey)
})

test("a wrong key and a client's key are refused in words", async () => {
  const { origin } = await serveOperator()
  const { page } = await openTab(origin)
  await page.goto(`${origin}/operator`)
  await typeKey(page, 'wrong')
  await page.getByRole('alert').getByText('This key is not valid').waitFor()
  await typeKey(page, clientKey)
  await page.getByRole('alert').getByText("This is a client's key").waitFor()
  await typeKey(page, 'schlüssel\u{1f511}')
  await page.getByRole('alert').getByText('This key is not valid').waitFor()
})

test('a service without the plugin of operators is explained', async () => {
  const { origin } = await serveOperator({ plugins: [] })
  const { page } = await openTab(origin)
  await page.goto(`${origin}/operator`)
  await typeKey(page, clientKey)
  await page.getByRole('alert').getByText('The service has no routes for operators').waitFor()
})

test('when the server is gone, the page says since when and from when its figures are, and goes on when it is back', async () => {
  const world = await serveOperator()
  const { running } = await createEachState(world)
  const { page, row } = await openOperator(world)
  await row(running.id).waitFor()
  world.gate.answer = 502
  await page
    .getByText(/The server does not answer since \d\d:\d\d:\d\d; what you see is from \d\d:\d\d:\d\d\./)
    .waitFor()
  await row(running.id).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  world.gate.answer = undefined
  await expect.poll(() => page.getByText(/does not answer since/).count(), { timeout: 15_000 }).toBe(0)
})

test('an act whose answer does not arrive is not said to be undone', async () => {
  const world = await serveOperator()
  const { running } = await createEachState(world)
  const { page, go, act, dialog } = await openOperator(world)
  await go(`#/jobs/${running.id}`)
  await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor()
  world.gate.answer = 504
  await act('Cancel')
  await dialog.getByText(/It may have been done all the same: look into the audit log/).waitFor()
})

test('what the service lacks is said in words, with what would bring it', async () => {
  const world = await serveOperator({
    plugins: [operator({ authenticate: apiKeys({ maria: operatorKey }) })],
    jobs: ({ listAll: _list, findByTaskId: _find, audit: _audit, auditEntries: _entries, ...jobs }) => jobs,
  })
  const job = await world.create()
  const { page, place, go } = await openOperator(world)
  await page.getByText('does not list the jobs of all owners').waitFor()
  await place('Spend').click()
  await page.getByText('The plugin usage of @genmount/core/usage does').waitFor()
  await place('Audit log').click()
  await page.getByText('keeps no audit log').waitFor()
  await place('Webhooks').click()
  await page.getByText('The plugin webhooks of @genmount/webhooks does').waitFor()
  await go(`#/jobs/${job.id}`)
  await page.getByRole('button', { name: 'Delete', description: /keeps no audit log/ }).waitFor()
})

test('texts of owners, vendors and inputs run no script, and the policy of the page lets none run', async () => {
  const world = await serveOperator()
  const { failed, hostile } = await createEachState(world)
  const { page, go, list, row, problems } = await openOperator(world)
  await row(hostile.id).waitFor()
  await list('Failed').click()
  await row(failed.id).waitFor()
  await go(`#/jobs/${hostile.id}`)
  await page.getByRole('region', { name: 'Input' }).waitFor()
  await go(`#/spend`)
  await page.getByRole('region', { name: 'By owner' }).waitFor()
  expect(await page.title()).toBe('Operator')
  expect(await page.locator('main img, main script, iframe').count()).toBe(0)
  expect(problems).toEqual([])
  const reply = await page.request.get(`${world.origin}/operator`)
  expect(reply.headers()['content-security-policy']).not.toMatch(/unsafe|https?:|\*/)
  expect(reply.headers()['permissions-policy']).toContain('camera=()')
})
