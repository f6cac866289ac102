import { serve } from '@genmount/cli'

try {
  await serve({ env: process.env })
} catch (error) {
  console.error((error as Error).message)
  // Connections to Postgres and Redis that are open already would keep the process alive.
  process.exit(1)
}
