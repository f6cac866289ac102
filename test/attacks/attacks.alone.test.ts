import { bodyAttacks } from './cases/body-attacks.ts'
import { jsonAttacks } from './cases/json-attacks.ts'
import { mcpAttacks } from './cases/mcp-attacks.ts'
import { pictureAttacks } from './cases/picture-attacks.ts'
import { placeAttacks } from './cases/place-attacks.ts'
import { testAttacks } from './test-attacks.ts'

// One attack each on the memory, on the event loop, on the connections and on the threads, and on Node one on the endpoint of
// agents. The deep suite has all of them.
const [memory, loop, connections, threads] = [
  '200 bodies without a key that stand still',
  'wide JSON: 3 million values in 20 MB',
  'an owner who fills the waiting places',
  '4 JPEGs of 882 scans',
] as const
const mcpLoop = 'wide JSON in an MCP message: 1.3 million objects in 3.9 MB'
const onMemory = { [memory]: bodyAttacks[memory] }
const margin = 2

testAttacks(
  'node',
  {
    ...onMemory,
    [loop]: jsonAttacks[loop],
    [connections]: placeAttacks[connections],
    [threads]: pictureAttacks[threads],
    [mcpLoop]: mcpAttacks[mcpLoop],
  },
  { margin },
)
testAttacks('bun', onMemory, { margin })
testAttacks('deno', onMemory, { margin })
