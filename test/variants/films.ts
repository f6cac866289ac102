import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { programPath } from '../suite/system-needs.ts'
import { outputOf } from '../processes/run-program.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** Films of one second whose first frame is red and whose others are blue, by name, each with the options that make it. */
const films = {
  'high.mp4': ['-c:v', 'libx264', '-profile:v', 'high', '-pix_fmt', 'yuv420p', '-movflags', '+faststart'],
  'end.mp4': ['-c:v', 'libx264', '-profile:v', 'high', '-pix_fmt', 'yuv420p'],
  'vp9.webm': ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'],
} as const

export type FilmName = keyof typeof films

/** Makes a film with ffmpeg. */
export async function film(name: FilmName): Promise<Uint8Array> {
  const path = join(temporaryFolder(), name)
  const source = ['-f', 'lavfi', '-i', 'color=blue:s=320x240:r=12:d=1']
  const red = ['-vf', "drawbox=color=red:t=fill:enable='eq(n,0)'"]
  await outputOf([programPath('ffmpeg'), '-v', 'error', '-y', ...source, ...red, ...films[name], path])
  return readFile(path)
}
