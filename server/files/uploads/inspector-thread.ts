import { parentPort, workerData } from 'node:worker_threads'
import { BadFile } from './content/bad.ts'
import { inspect } from './content/inspect.ts'
import type { Answer, Question } from './inspector.ts'

const answered = (answer: Answer) => parentPort?.postMessage(answer)

const { extension, bytes } = workerData as Question
inspect(extension, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).then(
  inspected => answered({ inspected }),
  (error: unknown) => {
    if (!(error instanceof BadFile)) throw error
    answered({ refusal: error.refusal, detail: error.message })
  },
)
