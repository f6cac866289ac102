export { type JobStatements, jobStatements, type StatementRunner } from './sqlite/job-statements.ts'
export { missingMigrations } from './sqlite/migrations.ts'
export { sqliteJobStore } from './sqlite/sqlite-job-store.ts'
export type { Changes, Parameter, Row, Statement } from './sqlite/statement.ts'
