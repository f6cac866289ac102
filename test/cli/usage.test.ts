import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { genmount } from './genmount.ts'
import { startServer } from './start-server.ts'

test('genmount usage shows what jobs have cost, in all and by day and model, as a table, CSV or JSON', async () => {
  const { env } = await startServer()
  const make = ['generate', '-m', 'procedural-image', '-f', 'resolution=480p', '-p', 'a fox']
  await genmount(make, { cwd: temporaryFolder(), env })
  const { stdout } = await genmount(['usage'], { env })
  expect(stdout).toMatch(/^1\t0\t1\t0\t\$\d[\d.]*\t0\t\$0\n$/)
  const csv = await genmount(['usage', '--by', 'day,model', '--csv'], { env })
  const [head, row, end] = csv.stdout.split('\r\n')
  expect(head).toBe('day,model,jobs,failed,outputs,seconds,cost_usd,unknown_costs,reserved_usd')
  expect(row).toMatch(/^\d{4}-\d\d-\d\d,procedural-image,1,0,1,0,/)
  expect(end).toBe('')
  const json = JSON.parse((await genmount(['usage', '--by', 'model', '--json'], { env })).stdout)
  expect(json).toMatchObject({ jobs: 1, data: [{ model: 'procedural-image', jobs: 1 }] })
  const wrong = await genmount(['usage', '--by', 'owner'], { env })
  expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining('day, model and key')])
  const early = await genmount(['usage', '--from', 'yesterday'], { env })
  expect([early.exit, early.stderr]).toEqual([5, expect.stringContaining('a UTC day such as')])
})
