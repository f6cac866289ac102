import type { withPictures } from '@genmount/provider-kit'
import type { InputType, WorkflowInput } from './workflow.ts'

/** The types of files that a field takes. */
type FileTypes = Parameters<typeof withPictures>[1]['types']

/** The types of inputs that are numbers and texts. */
const plainTypes: readonly InputType[] = ['text', 'number', 'integer', 'boolean']

/** The files that ComfyUI's `LoadImage`, `LoadVideo` and `LoadAudio` can read on every system. */
const fileTypes = {
  image: ['png', 'jpeg', 'webp', 'gif'],
  video: ['mp4'],
  audio: ['mp3', 'wav', 'flac', 'ogg', 'm4a'],
} satisfies Partial<Record<InputType, FileTypes>>

/** The files that clients give for an input. */
export interface InputFiles {
  /** Their types. */
  readonly types: FileTypes
  /** Whether clients give a list of them. */
  readonly isList: boolean
}

const filesByType = new Map<InputType | undefined, InputFiles>([
  ['image', { types: fileTypes.image, isList: false }],
  ['video', { types: fileTypes.video, isList: false }],
  ['audio', { types: fileTypes.audio, isList: false }],
  ['images', { types: fileTypes.image, isList: true }],
  ['videos', { types: fileTypes.video, isList: true }],
])

/** The types of inputs that clients can give. */
export const inputTypes: readonly unknown[] = [...plainTypes, ...filesByType.keys()]

/** The files that clients give for an input; `undefined` for an input that is not a file. */
export function inputFiles({ type }: Pick<WorkflowInput, 'type'>): InputFiles | undefined {
  return filesByType.get(type)
}
