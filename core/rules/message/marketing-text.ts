import { allowedLink } from '../market/hosts.ts'
import { optOutWords } from './opt-out.ts'

/** Addresses as phones make links of them: with a scheme, or a host of a common ending. */
const address = /\bhttps?:\/\/\S+|\bwww\.\S+|\b(?:[a-z0-9-]+\.)+(?:com|ug|net|org|io|app|co|ly|me|info|link)\b\S*/gi

/** The text as it is sent: it ends with how to get no more of them. */
export const withOptOut = (text: string, line: string): string => `${text.trimEnd()} ${line}`

/** Addresses in a text that lead anywhere but to hosts of ours over https. */
export const wrongLinks = (text: string, hosts: readonly string[]): string[] => [
  ...new Set(
    (text.match(address) ?? []).map(one => one.replace(/[.,;:!?)]+$/, '')).filter(one => !allowedLink(one, hosts)),
  ),
]

/** Whether a line names one of the words that opt out. */
export const saysHowToStop = (line: string): boolean => {
  const words = new Set(line.toLowerCase().match(/[a-z]+/g))
  return optOutWords.some(word => words.has(word))
}
