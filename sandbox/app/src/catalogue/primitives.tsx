/** Every state of the kit's primitives. */
import { KeybayError, requestFailed } from '@keybay/kernel'
import {
  Button,
  Card,
  ConfirmButton,
  CopyButton,
  EditText,
  Empty,
  Fact,
  Failure,
  Glyph,
  IconButton,
  Item,
  LineForm,
  Loading,
  Notice,
  Problem,
  SelectField,
  StepList,
  TextAreaField,
  TextField,
} from '../design/index.js'

const KINDS = [undefined, 'primary', 'quiet', 'danger'] as const
const NOTICES = ['info', 'good', 'warn', 'bad'] as const
const STEPS = ['done', 'failed', 'doing', 'waiting'] as const
const ADDRESS = 'So11111111111111111111111111111111111111112'
export const ERROR: KeybayError = new KeybayError(requestFailed)

function nothing() {}

export function Buttons() {
  return (
    <Card title="Buttons">
      {[false, true].map(small => (
        <div key={String(small)} className="keybay-line">
          {KINDS.map(kind => (
            <Button key={String(kind)} kind={kind} small={small} text={kind ?? 'default'} onClick={nothing} />
          ))}
          <Button small={small} text="busy" busy />
          <Button small={small} text="disabled" disabled />
          <Button small={small} icon="plus" text="icon" />
        </div>
      ))}
      <div className="keybay-line">
        <ConfirmButton text="Remove" label="Remove it" question="It can’t come back." busy={false} confirm={nothing} />
        <CopyButton text={ADDRESS} label="Copy address">
          Copy
        </CopyButton>
        <IconButton icon="close" label="Close it" />
      </div>
      <Button kind="primary" wide text="wide" />
    </Card>
  )
}

export function Fields() {
  return (
    <Card title="Fields">
      <TextField label="Text" placeholder="Placeholder" defaultValue="" change={nothing} />
      <TextField label="With an error" defaultValue="0x" error="This isn’t an address." change={nothing} />
      <TextField label="With a unit" unit="SOL" defaultValue="1.5" change={nothing} />
      <TextField label="Address" mono defaultValue={ADDRESS} change={nothing} />
      <SelectField
        label="Select"
        value="1"
        options={[
          { value: '1', name: 'First' },
          { value: '2', name: 'Second' },
        ]}
        change={nothing}
      />
      <TextAreaField label="Long text" defaultValue="" change={nothing} />
      <LineForm label="Form with one field" action="Save it" submit={text => (text ? undefined : 'Type something.')} />
      <EditText label="Edited in place" value="Name" busy={false} longest={32} save={nothing} cancel={nothing} />
    </Card>
  )
}

export function Feedback() {
  return (
    <Card title="Feedback" side={<span className="keybay-tag keybay-tag-good">Tag</span>}>
      {NOTICES.map(kind => (
        <Notice key={kind} kind={kind} title={`Notice: ${kind}`}>
          With more text.
        </Notice>
      ))}
      <Problem title="Problem" error={ERROR} />
      <Failure title="Failure" error={ERROR} retry={nothing} />
      <Loading what="an example" widths={[24, 16]} />
      <StepList
        label="Steps"
        steps={STEPS.map(state => ({ name: state, state, text: `Step: ${state}` }))}
        status="Third of four"
      />
      <Empty icon="wallet" title="Empty" action={<Button text="Begin" />}>
        Nothing is here yet.
      </Empty>
    </Card>
  )
}

export function Lists() {
  return (
    <Card title="Lists">
      <ul className="keybay-items" aria-label="Items">
        {['First', 'Second'].map(name => (
          <Item key={name} mark={<Glyph name="key" size={24} />} actions={<Button small text={`Open ${name}`} />}>
            <p className="keybay-item-title">{name}</p>
            <p className="keybay-soft keybay-small">With a second line</p>
          </Item>
        ))}
      </ul>
      <dl className="keybay-facts">
        <Fact name="Address">
          <bdi>{ADDRESS}</bdi>
        </Fact>
        <Fact name="Amount">
          <bdi>−1.5 SOL</bdi>
        </Fact>
      </dl>
    </Card>
  )
}
