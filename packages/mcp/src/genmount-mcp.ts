#!/usr/bin/env node
import process from 'node:process'
import { runGenmountMcp } from './stdio/run-genmount-mcp.ts'

try {
  runGenmountMcp(process.env)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
}
