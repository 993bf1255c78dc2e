/** A count with its thousands apart. */
export const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')

/** Bytes in readable units: `12 KB`, `1.4 MB`. */
export const sizeText = (bytes: number): string =>
  bytes < 1_048_576 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`

/** Lets the browser save a fetched file. */
export const keepFile = (blob: Blob, name: string): void => {
  const address = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
