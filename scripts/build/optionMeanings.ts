/** What editors say of an option while it is written: its type is made of the table of options, where comments are data. */
import * as v from 'valibot'
import { OPTIONS } from '../../src/options/options.ts'
import { shownDefault } from '../docs/options.ts'

/** The declarations of `src/options/options.ts` with a comment before each option: its meaning and its default. */
export function withOptionMeanings(text: string): string {
  return Object.entries(OPTIONS).reduce((declared, [name, schema]) => {
    const line = `\n    readonly ${name}: `
    if (!declared.includes(line)) throw new Error(`optionMeanings.ts does not find the option ${name}`)
    const fallback = shownDefault(schema)
    const meaning = `${v.getDescription(schema)}${fallback === '' ? '' : ` (default: ${fallback})`}`
    return declared.replace(line, () => `\n    /** ${meaning} */${line}`)
  }, text)
}
