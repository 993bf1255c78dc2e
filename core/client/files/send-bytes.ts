/** Sends bytes by `XMLHttpRequest`, which reports progress; `fetch` does not. */
export const sendBytes =
  (bytes: Blob, headers: Readonly<Record<string, string>>, onProgress: (sent: number) => void) =>
  (url: string, { method = 'PUT', headers: own, signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      const stop = () => request.abort()
      request.open(method, url)
      for (const [name, value] of Object.entries({ ...(own as Record<string, string>), ...headers }))
        request.setRequestHeader(name, value)
      request.setRequestHeader('Content-Type', 'application/octet-stream')
      request.upload.onprogress = ({ loaded }) => onProgress(loaded)
      request.onload = () => {
        const type = request.getResponseHeader('content-type') ?? 'text/plain'
        resolve(new Response(request.responseText, { status: request.status, headers: { 'content-type': type } }))
      }
      request.onerror = () => reject(new TypeError('the connection was lost'))
      request.onabort = () => reject(signal?.reason ?? new DOMException('', 'AbortError'))
      request.onloadend = () => signal?.removeEventListener('abort', stop)
      signal?.addEventListener('abort', stop)
      if (signal?.aborted) reject(signal.reason)
      else request.send(bytes)
    })
