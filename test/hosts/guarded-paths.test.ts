import { guardedHosts } from './guarded-hosts.ts'
import { testGuards } from './test-guards.ts'

testGuards(guardedHosts)
