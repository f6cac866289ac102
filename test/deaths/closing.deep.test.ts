import { testSubmitAtClose, testWaitersAtClose } from './closing.ts'

testWaitersAtClose([
  ['with a vendor that answers', {}],
  ['while another process has locked the SQLite file', { lockedForMs: 3000 }],
  ['while the vendor does not answer polls', { hanging: 'poll' }],
])

testSubmitAtClose(', though another process has locked the SQLite file meanwhile', 2000)
