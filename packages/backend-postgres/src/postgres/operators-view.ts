import { type AuditEntry, type JobStore, taskIdOf } from '@genmount/core'
import { columnText, textInColumn } from './column-text.ts'
import type { JobDatabase } from './job-database.ts'
import { pageStatements } from './operator-statements.ts'
import { listedJob } from './stored-inputs.ts'

/** A text that comes after every id. */
export const lastText = '\u{10ffff}'

/** The methods of the job store by which operators find jobs of all owners, and keep the audit log. */
export function operatorsView(
  database: Pick<JobDatabase, 'run'>,
): Required<Pick<JobStore, 'listAll' | 'findByTaskId' | 'audit' | 'auditEntries'>> {
  return {
    async listAll({ state, from = '', before, limit, maxLength }) {
      const range = [columnText(from), before === undefined ? lastText : columnText(before)]
      const rows = await database.run(pageStatements[state ?? 'all'], [...range, limit, maxLength])
      return rows.map(listedJob)
    },

    async findByTaskId(taskId, limit) {
      const [finished, unfinished] = await Promise.all([
        database.run('byTask', [columnText(taskId)]),
        database.run('unfinishedWith', [JSON.stringify(taskId)]),
      ])
      const same = [...unfinished, ...finished].filter((row) => taskIdOf(listedJob(row)) === taskId)
      return same.slice(0, limit).map(({ id }) => textInColumn(String(id)))
    },

    async audit(entry) {
      const job = entry.job === undefined ? null : columnText(entry.job)
      // JSON escapes NUL and lone surrogates.
      await database.run('audit', [columnText(entry.id), entry.at, job, JSON.stringify(entry)])
    },

    async auditEntries({ job, after, limit }) {
      const range = [after?.at ?? Number.MAX_SAFE_INTEGER, after ? columnText(after.id) : '', limit]
      const rows =
        job === undefined
          ? await database.run('auditOfAll', range)
          : await database.run('auditOfJob', [...range, columnText(job)])
      return rows.map(({ entry }) => JSON.parse(String(entry)) as AuditEntry)
    },
  }
}
