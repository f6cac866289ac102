import { testWithPostgres } from './test-with-postgres.ts'

testWithPostgres(() => true)
