import type { Select as Radix } from '@radix-ui/themes'
import { createContext, useCallback, useContext, useState } from 'react'

/** What a select knows without its list: the value, and the words of each option, which the options tell it. */
export type Choice = {
  size: '1' | '2' | '3'
  value: string
  choose: (value: string) => void
  disabled: boolean
  labels: ReadonlyMap<string, string>
  /** @returns what takes the words back. */
  tell: (value: string, label: string) => () => void
}

/** The select around an option. */
export const ChoiceContext = createContext<Choice | null>(null)
/** The select around a part. @throws outside of one */
export const useChoice = () => {
  const choice = useContext(ChoiceContext)
  if (!choice) throw new Error('a part of a select outside of its root')
  return choice
}

/** Present inside the list. */
export const OptionContext = createContext<typeof Radix.Item | null>(null)

/** The words of the options, in their order. */
export const useLabels = () => {
  const [labels, setLabels] = useState<ReadonlyMap<string, string>>(new Map())
  const tell = useCallback((value: string, label: string) => {
    setLabels(before => new Map(before).set(value, label))
    return () => setLabels(before => new Map([...before].filter(([known]) => known !== value)))
  }, [])
  return { labels, tell }
}

/** The next option whose words begin with the letter, as a closed select chooses it. */
export const startingWith = ({ labels, value }: Choice, letter: string): string | undefined => {
  const values = [...labels.keys()]
  const at = values.indexOf(value)
  return [...values.slice(at + 1), ...values.slice(0, at + 1)].find(one =>
    labels.get(one)?.toLowerCase().startsWith(letter.toLowerCase()),
  )
}
