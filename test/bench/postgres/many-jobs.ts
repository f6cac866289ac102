/**
 * What each call of the Postgres store looks at, with 10,000 jobs of one owner and with millions, half of them running and due
 * within half an hour: `node --conditions=@genmount/source test/bench/postgres/many-jobs.ts [millions of jobs]`, one million by
 * default. A million jobs take 1 GB of disk while it runs.
 */
import { growthIn, looksOf } from '../../backend-postgres/looked-at.ts'
import { startPostgres } from '../../postgres/start-postgres.ts'
import { table } from '../figures.ts'

const sizes = [10_000, Number(process.argv[2] ?? 1) * 1_000_000] as const
const server = await startPostgres(['max_wal_size=8GB', 'shared_buffers=1GB', 'maintenance_work_mem=256MB'])
try {
  const beganAt = performance.now()
  const few = await looksOf(server.url('postgres'), 'few', sizes[0], 100)
  const many = await looksOf(server.url('postgres'), 'many', sizes[1], 100)
  const heads = sizes.flatMap((size) =>
    ['rows', 'pages', 'ms'].map((what) => `${what}, ${size.toLocaleString('en')}`),
  )
  const lines = Object.entries(many).map(([call, looks]) => [
    call,
    ...[few[call]!, looks].flatMap(({ rows, pages, ms }) => [
      rows.toFixed(1),
      pages.toFixed(1),
      ms.toFixed(2),
    ]),
  ])
  console.log(table(['call', ...heads], lines))
  console.log(`\ngrowing: ${JSON.stringify(growthIn(few, many))}`)
  console.log(`${((performance.now() - beganAt) / 1000).toFixed(0)} s with the fill`)
} finally {
  await server.stop()
}
