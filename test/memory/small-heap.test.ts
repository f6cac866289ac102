import { testWideCreates } from './wide-creates.ts'

// The deep suite has Deno.
testWideCreates('node', 'narrow')
testWideCreates('node', 'wide')
