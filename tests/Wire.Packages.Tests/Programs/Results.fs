open Wire

type Receipt =
    { Id: int
      Paid: Result<decimal, string> }

let serializer = Serializer(SerializerOptions.Default.UseFSharp())

let receipts =
    [ { Id = 1; Paid = Ok 19.90m }
      { Id = 2
        Paid = Error "the card is declined" } ]

let copy = serializer.Deserialize<Receipt list>(serializer.Serialize receipts)

let paid = copy |> List.filter (fun receipt -> receipt.Paid.IsOk)
System.Console.WriteLine $"{paid.Length} of {copy.Length} paid, {(copy = receipts).ToString().ToLowerInvariant()}"
