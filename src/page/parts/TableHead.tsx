/** The names of the columns of a table. */

/** Shows `names`, and after them those of columns of `numbers`. */
export function TableHead({
  names,
  numbers = [],
}: {
  names: readonly string[]
  numbers?: readonly string[]
}) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
        {numbers.map((name) => (
          <th key={name} scope="col" class="end">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}
