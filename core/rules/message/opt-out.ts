/** First words of a reply by which somebody asks for no more offers, and by which they want them again. */
export const optOutWords = ['stop', 'end', 'unsubscribe', 'acha', 'sitisha'] as const
export const optInWords = ['start', 'anza'] as const

/** What a reply asks for: its first word decides, whatever its letters and what stands around it. */
export const wishOf = (reply: string): 'stop' | 'start' | null => {
  const first = reply
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/u)?.[0]
  if (optOutWords.some(word => word === first)) return 'stop'
  return optInWords.some(word => word === first) ? 'start' : null
}
