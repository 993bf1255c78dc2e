import { useState } from 'react'
import type { ConfigRow } from '../../../core/contract/config.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { modelKinds, riskModels } from '../../../core/contract/risk/risk-model.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Ask } from '../../../core/engine/form/ask.tsx'
import type { DialogProps } from '../../../core/engine/screen.ts'
import type { Row as AnyRow } from '../../../core/engine/table/columns.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { Button, Callout, Flex, Text } from '../../../core/ui/basics.ts'
import { Labelled } from '../../../core/ui/labelled.tsx'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { cardOf } from './card-file.ts'

type Row = ConfigRow<typeof riskModels>
type Kind = Row['modelKind']
type Begun = { kind: Kind; from: object }

const common = ['modelName', 'scoreMin', 'scoreMax', 'psiLook', 'psiAct']
const asked: Record<Kind, readonly string[]> = {
  scorecard: [...common, 'basePoints', 'bins', 'modelRole', 'trafficPercent'],
  external: [...common, 'endpoint', 'factKeys', 'modelRole', 'trafficPercent'],
}
const thresholds = { psiLook: '0.1', psiAct: '0.25', modelRole: 'shadow' }

type ChoiceProps = { kinds: readonly Kind[]; begin: (begun: Begun) => void; close: () => void; version: boolean }

/** Which kind, and for a scorecard the file that its rows are taken from. */
const Choice = ({ kinds, begin, close, version }: ChoiceProps) => {
  const t = useText()
  const [isWrong, setWrong] = useState(false)
  const read = async (file: File | undefined) => {
    if (!file) return
    const card = cardOf(await file.text())
    if (card) return begin({ kind: 'scorecard', from: card })
    setWrong(true)
  }
  return (
    <ModalDialog
      open
      onClose={close}
      title={t(version ? 'riskModel.newVersion' : 'riskModel.newModel')}
      footer={<DialogCancel />}
    >
      <Flex gap="2" mb="3">
        {kinds.map(kind => (
          <Button key={kind} type="button" variant="soft" onClick={() => begin({ kind, from: {} })}>
            {dictText(t, 'MODEL_KIND', kind)}
          </Button>
        ))}
      </Flex>
      {kinds.includes('scorecard') && (
        <Labelled label={t('riskModel.cardFile')}>
          {tied => (
            <input
              {...tied}
              type="file"
              accept="application/json,.json"
              onChange={event => void read(event.target.files?.[0])}
            />
          )}
        </Labelled>
      )}
      {isWrong && (
        <Callout.Root color="amber" size="1" role="alert" mt="2">
          <Callout.Text>{t('riskModel.cardFileWrong')}</Callout.Text>
        </Callout.Root>
      )}
    </ModalDialog>
  )
}

const Hint = () => (
  <Text as="p" size="1" color="gray">
    {useText()('riskModel.binsHint')}
  </Text>
)

/** A new model, or another version of one: typed as rows, read from a file, or the address of a service. */
const NewOf = ({ of, close }: { of: Row | undefined; close: (changed?: boolean) => void }) => {
  const [begun, begin] = useState<Begun | null>(null)
  const kinds = of ? [of.modelKind] : modelKinds.values
  if (!begun) return <Choice kinds={kinds} begin={begin} close={() => close()} version={of !== undefined} />
  const { kind, from } = begun
  const before = of ? { modelName: of.modelName, scoreMin: of.scoreMin, scoreMax: of.scoreMax } : {}
  return (
    <Ask
      action={{
        run: { ...riskModels.calls.save, on: undefined } as unknown as Endpoint,
        label: of ? 'riskModel.newVersion' : 'riskModel.newModel',
        button: 'config.save',
        ask: asked[kind],
        from: () => ({ ...thresholds, ...before, ...from }),
        input: () => ({ modelKind: kind, ...(of ? { modelNo: of.modelNo } : {}) }),
        done: 'config.saved',
        ...(kind === 'scorecard' ? { wide: true as const, preview: () => <Hint /> } : {}),
      }}
      rows={[(of ?? {}) as AnyRow]}
      rowKey={riskModels.key}
      fields={riskModels.row}
      close={close}
    />
  )
}

export const NewModel = ({ close }: DialogProps<never>) => <NewOf of={undefined} close={close} />
export const NewVersion = ({ rows: [row], close }: DialogProps<Row>) => <NewOf of={row} close={close} />
