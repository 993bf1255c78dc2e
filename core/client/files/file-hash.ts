/** The source of the worker, which hashes slice after slice. It is passed as text, so that a page of any origin can start it. */
const program = `
postMessage('ready')
onmessage = async ({ data: { id, slice } }) => {
  try {
    postMessage({ id, hash: await crypto.subtle.digest('SHA-256', await slice.arrayBuffer()) })
  } catch (error) {
    postMessage({ id, failed: String(error) })
  }
}`

/** Milliseconds after which a worker that says nothing counts as forbidden by the page. */
const patience = 1_500

type WorkerMessage = 'ready' | { id: number; hash?: ArrayBuffer; failed?: string }
/** SHA-256 of slices in a worker, as lower-case hex. */
export type Hasher = { hash: (slice: Blob) => Promise<string>; end: () => void }

const hex = (hash: ArrayBuffer): string =>
  [...new Uint8Array(hash)].map(byte => byte.toString(16).padStart(2, '0')).join('')

const here: Hasher = {
  hash: async slice => hex(await crypto.subtle.digest('SHA-256', await slice.arrayBuffer())),
  end: () => undefined,
}

const started = (address: string): Promise<Worker | null> =>
  new Promise(resolve => {
    let worker: Worker
    try {
      worker = new Worker(address)
    } catch {
      return resolve(null)
    }
    const give = (one: Worker | null) => {
      clearTimeout(timer)
      if (!one) worker.terminate()
      resolve(one)
    }
    const timer = setTimeout(give, patience, null)
    worker.addEventListener('message', () => give(worker), { once: true })
    worker.addEventListener('error', () => give(null), { once: true })
  })

const apart = (worker: Worker): Hasher => {
  const waiting = new Map<number, { resolve: (hash: string) => void; reject: (error: Error) => void }>()
  let last = 0
  const stop = (why: string) => {
    for (const { reject } of waiting.values()) reject(new Error(why))
    waiting.clear()
  }
  worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
    if (data === 'ready') return
    const asked = waiting.get(data.id)
    waiting.delete(data.id)
    if (data.hash) asked?.resolve(hex(data.hash))
    else asked?.reject(new Error(data.failed))
  }
  worker.onerror = event => stop(event.message)
  return {
    hash: slice =>
      new Promise((resolve, reject) => {
        waiting.set(++last, { resolve, reject })
        worker.postMessage({ id: last, slice })
      }),
    end: () => {
      worker.terminate()
      stop('ended')
    },
  }
}

/** Hashes slices of a file in a worker; on the main thread where the page's policy forbids workers. */
export const startHasher = async (): Promise<Hasher> => {
  const address = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }))
  const worker = await started(address)
  URL.revokeObjectURL(address)
  return worker ? apart(worker) : here
}
