import { testWithPostgres } from './test-with-postgres.ts'

// What does not concern jobs is the same with any store. The deep suite tests it with Postgres nevertheless.
testWithPostgres((promise) =>
  /\b(job|jobs|create|created|wait|idempotency|expired|key is free)\b/i.test(promise),
)
