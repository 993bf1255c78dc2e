import { type ReactNode, useState } from 'react'
import { useText } from '../../core/element/i18n.ts'
import { Button, Flex, Text } from '../../core/ui/basics.ts'
import { SegmentedControl, Switch } from '../../core/ui/more.ts'
import { DialogCancel, ModalDialog } from '../../core/ui/overlay/modal-dialog.tsx'
import { defaultSettings, type Settings } from '../shell/storage.ts'

const Line = ({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) => (
  <Flex justify="between" align="center" gap="4" py="2">
    <div>
      <Text as="div" size="2" weight="medium">
        {label}
      </Text>
      {hint && (
        <Text as="div" size="1" color="gray">
          {hint}
        </Text>
      )}
    </div>
    {children}
  </Flex>
)

const Choice = <V extends string>({
  label,
  value,
  values,
  disabled,
  onChange,
}: {
  label: string
  value: V
  values: readonly (readonly [V, string])[]
  disabled?: boolean
  onChange: (value: V) => void
}) => (
  <SegmentedControl.Root
    size="1"
    value={value}
    aria-label={label}
    disabled={disabled}
    onValueChange={next => onChange(next as V)}
  >
    {values.map(([one, word]) => (
      <SegmentedControl.Item key={one} value={one}>
        {word}
      </SegmentedControl.Item>
    ))}
  </SegmentedControl.Root>
)

type LooksProps = { next: Settings; narrow: boolean; set: (change: Partial<Settings>) => void }

/** Where the menu is, light or dark, and how close the rows stand. */
const Looks = ({ next, narrow, set }: LooksProps) => {
  const t = useText()
  return (
    <>
      <Line label={t('shell.menuStyle')} hint={narrow ? t('shell.menuStyleNarrow') : undefined}>
        <Choice
          label={t('shell.menuStyle')}
          value={next.menuStyle}
          disabled={narrow}
          values={[
            ['vertical', t('shell.vertical')],
            ['crosswise', t('shell.crosswise')],
          ]}
          onChange={menuStyle => set({ menuStyle })}
        />
      </Line>
      <Line label={t('shell.theme')}>
        <Choice
          label={t('shell.theme')}
          value={next.theme ?? 'system'}
          values={[
            ['system', t('shell.themeSystem')],
            ['light', t('shell.themeLight')],
            ['dark', t('shell.themeDark')],
          ]}
          onChange={theme => set({ theme: theme === 'system' ? undefined : theme })}
        />
      </Line>
      <Line label={t('shell.density')}>
        <Choice
          label={t('shell.density')}
          value={next.density ?? 'normal'}
          values={[
            ['normal', t('shell.densityNormal')],
            ['compact', t('shell.densityCompact')],
          ]}
          onChange={density => set({ density })}
        />
      </Line>
    </>
  )
}

/** How the console looks and behaves in this browser. */
export const SettingsDialog = ({
  settings,
  narrow,
  onSave,
  close,
}: {
  settings: Settings
  narrow: boolean
  onSave: (settings: Settings) => void
  close: () => void
}) => {
  const t = useText()
  const [next, setNext] = useState(settings)
  const set = (change: Partial<Settings>) => setNext({ ...next, ...change })
  return (
    <ModalDialog
      open
      onClose={close}
      title={t('shell.settings')}
      footer={
        <>
          <Button variant="ghost" color="gray" mr="auto" onClick={() => setNext(defaultSettings)}>
            {t('shell.restoreDefaults')}
          </Button>
          <DialogCancel />
          <Button
            onClick={() => {
              onSave(next)
              close()
            }}
          >
            {t('common.save')}
          </Button>
        </>
      }
    >
      <Looks next={next} narrow={narrow} set={set} />
      <Line label={t('shell.graphicVerification')} hint={t('shell.graphicVerificationHint')}>
        <Switch
          aria-label={t('shell.graphicVerification')}
          checked={next.graphicVerificationIsOpenStatus}
          onCheckedChange={on => set({ graphicVerificationIsOpenStatus: on })}
        />
      </Line>
      <Line label={t('shell.auxiliary')} hint={t('shell.auxiliaryHint')}>
        <Switch
          aria-label={t('shell.auxiliary')}
          checked={next.miscellaneousFunctionIsOpenStatus}
          onCheckedChange={on => set({ miscellaneousFunctionIsOpenStatus: on })}
        />
      </Line>
    </ModalDialog>
  )
}
