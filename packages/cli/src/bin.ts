#!/usr/bin/env node
import { run } from './program/run.ts'

await run(process.argv)
