import type { ConfigRow } from '../../../core/contract/config.ts'
import type { dictItems } from '../../../core/contract/user/dictionary.ts'
import { Callout, Flex } from '../../../core/ui/basics.ts'

/** The text of an answer code as the toast says it in each language; values stand for themselves. */
export const ErrorPreview = ({ row }: { row: ConfigRow<typeof dictItems> }) => (
  <Flex direction="column" gap="2">
    {[
      ['zh', row.label],
      ['en', row.labelEn ?? row.label],
      ['sw', row.labelSw ?? row.labelEn ?? row.label],
    ].map(([language, text]) => (
      <Callout.Root key={language} color="red" size="1">
        <Callout.Text lang={language}>{text}</Callout.Text>
      </Callout.Root>
    ))}
  </Flex>
)
