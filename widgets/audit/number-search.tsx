import { type ClipboardEvent, type FormEvent, useId, useState } from 'react'
import { useText } from '../../core/element/i18n.ts'
import { useSheet } from '../../core/element/styles.ts'
import { Button, Text, TextField } from '../../core/ui/basics.ts'
import sheet from './number-search.css?sheet'

type Filters = Readonly<Record<string, unknown>>
type Props = { filters: Filters; apply: (filters: Filters) => void }

const phone = /^256\d{9}$/

/** The filter that a pasted number means: a customer's phone, or the numbers of orders. */
const filterOf = (text: string) => (phone.test(text) ? { phone: text } : { orderNo: text })

/** One large field for what a caller reads out. A pasted number searches at once; the range of days no longer applies, because a number names one order. */
export const NumberSearch = ({ filters, apply }: Props) => {
  const t = useText()
  useSheet(sheet)
  const id = useId()
  const given = String(filters.orderNo ?? filters.phone ?? '')
  const [text, setText] = useState(given)
  const [shown, setShown] = useState(given)
  // A filter that was set or cleared below the field stands in the field too.
  if (given !== shown) {
    setShown(given)
    setText(given)
  }
  const search = (typed: string) => {
    const number = typed.trim()
    const { orderNo: _, phone: __, applyTime, ...others } = filters
    apply(number ? { ...others, ...filterOf(number) } : { ...others, applyTime: applyTime ?? 'last30' })
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    event.preventDefault()
    const pasted = event.clipboardData.getData('text').trim()
    setText(pasted)
    search(pasted)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    search(text)
  }
  return (
    <form className="mk-number-search" role="search" onSubmit={submit}>
      <Text as="label" size="2" htmlFor={id}>
        {t('audit.numberSearch')}
      </Text>
      <TextField.Root
        id={id}
        size="3"
        type="search"
        maxLength={200}
        value={text}
        placeholder={t('audit.numberSearchHint')}
        onChange={event => setText(event.target.value)}
        onPaste={paste}
      />
      <Button type="submit" size="3">
        {t('common.search')}
      </Button>
    </form>
  )
}
