import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** The standalone server as a process of its own, which may be killed and started again. */
export interface DemoServer {
  /** Starts the server on its earlier port, or on any free port. @returns what it prints, once it listens */
  start(): Promise<Greeting>
  /** Sends the signal. @returns the exit code, once the process has ended; `null` when the signal has ended it */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

interface Greeting {
  readonly baseUrl: string
  /** The ids of the models that the server has. */
  readonly models: readonly string[]
}

/** Settings that the user may have for another server. Each is set to an empty text, which counts as absent. */
const unset = {
  HOST: '',
  BASE_URL: '',
  WAIT_BUDGET_MS: '',
  STOP_WITHIN_MS: '',
  MAX_JOBS: '',
  ALLOW_SIMULATION: '',
  DATABASE_URL: '',
  REDIS_URL: '',
  S3_BUCKET: '',
  FAL_KEY: '',
  REPLICATE_API_TOKEN: '',
  OPENAI_API_KEY: '',
  GEMINI_API_KEY: '',
  BFL_API_KEY: '',
  RUNWAYML_API_SECRET: '',
  ARK_API_KEY: '',
  KLING_API_KEY: '',
  KLING_ACCESS_KEY: '',
  XAI_API_KEY: '',
  RUNPOD_API_KEY: '',
  COMFYUI_URL: '',
}

export function demoServer(key: string, dataDir: string): DemoServer {
  const command = [...process.execArgv, join(import.meta.dirname, 'server.ts')]
  let port = '0'
  let child: ChildProcessByStdio<null, Readable, null> | undefined
  let exited: Promise<number | null> = Promise.resolve(null)

  return {
    async start() {
      const env = { ...process.env, ...unset, PORT: port, API_KEYS: `demo:${key}`, DATA_DIR: dataDir }
      const started = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'inherit'] })
      child = started
      exited = new Promise((resolve) => started.once('exit', resolve))
      const greeting = await greetingOf(started.stdout)
      port = new URL(greeting.baseUrl).port
      return greeting
    },
    end(signal) {
      child?.kill(signal)
      return exited
    },
  }
}

/** The first line that the server prints ends in its address, and the second names its models. */
async function greetingOf(output: Readable): Promise<Greeting> {
  let baseUrl = ''
  for await (const line of createInterface({ input: output })) {
    baseUrl ||= /^genmount listens on (\S+)$/.exec(line)?.[1] ?? ''
    const models = /^Models: (.+)$/.exec(line)?.[1]
    if (models !== undefined) return { baseUrl, models: models.split(', ') }
  }
  throw new Error('The server ended before it listened.')
}
