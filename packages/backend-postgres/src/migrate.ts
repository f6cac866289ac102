#!/usr/bin/env node
// What `npx @genmount/backend-postgres` runs.
import { migrateCommand } from './postgres/migrate-command.ts'

process.exitCode = await migrateCommand(process.argv.slice(2), process.env)
