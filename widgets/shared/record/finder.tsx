import { useState } from 'react'
import { useText } from '../../../core/element/i18n.ts'
import { Button, Flex, TextField } from '../../../core/ui/basics.ts'

/** A field and its button: hands over what is sought, without the blanks around it; nothing while it is empty. */
export const Finder = ({ label, find }: { label: string; find: (text: string) => void }) => {
  const t = useText()
  const [typed, setTyped] = useState('')
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (typed.trim()) find(typed.trim())
      }}
    >
      <Flex gap="2" mb="3">
        <TextField.Root
          size="2"
          className="mk-finder"
          value={typed}
          placeholder={label}
          aria-label={label}
          onChange={event => setTyped(event.target.value)}
        />
        <Button type="submit" variant="soft">
          {t('common.search')}
        </Button>
      </Flex>
    </form>
  )
}
