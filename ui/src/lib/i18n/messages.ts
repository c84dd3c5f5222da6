/**
 * The type of a dictionary. English names the keys and their placeholders; a translation that lacks a key
 * does not compile, and a call that lacks a value does not either.
 */

/** A message by plural category (`Intl.PluralRules`); `other` is always there. */
export interface Plural {
  one: string;
  many?: string;
  other: string;
}

/** A message: words with `{placeholders}`, or one form for each plural category of `{count}`. */
export type Message = string | Plural;

type NamesIn<S extends string> = S extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

type TextOf<M> = M extends string
  ? M
  : M extends { one: infer One; other: infer Other }
    ? One | Other
    : never;

/** The values that a message asks for. */
export type Values<M> = [NamesIn<TextOf<M> & string>] extends [never]
  ? M extends string
    ? []
    : [values: { count: number }]
  : [
      values: {
        [Name in NamesIn<TextOf<M> & string>]: Name extends 'count' ? number : string | number;
      } & (M extends string ? unknown : { count: number }),
    ];
