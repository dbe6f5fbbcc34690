module Wire.FSharp.Tests.RecordTests

open System
open Wire
open Wire.FSharp.Tests.Model
open Xunit

[<Fact>]
let ``Records come back`` () =
    Check.value person
    Check.value (Hidden.Of 3)
    Check.values [ { X = 1; Y = "y"; Z = [] }; { X = 1; Y = null; Z = [ { X = 2; Y = "z"; Z = [] } ] } ]

[<Fact>]
let ``Anonymous records come back`` () =
    Check.value {| Name = "n"; Count = 3; Colour = Red |}
    Check.value struct {| Name = "n"; Inner = {| Deep = Some 1 |} |}

[<Fact>]
let ``Tuples come back`` () =
    Check.value (1, "two", Red)
    Check.value struct (1, "two", Red)
    Check.value (1, 2, 3, 4, 5, 6, 7, 8, 9)

[<Fact>]
let ``Everything together comes back`` () = Check.value many

[<Fact>]
let ``Units of measure are numbers`` () =
    Check.value 1.5<metre>
    Check.value [ 1.5<metre> ]
    Assert.Equal<byte[]>(Check.plain.Serialize 1.5, Check.plain.Serialize 1.5<metre>)

[<Fact>]
let ``What .NET has in common comes back`` () =
    Check.value 12345678901234567890I
    Check.value 1.5M
    Check.value [| Red; Other "x" |]
    Check.value (DateTime(2020, 1, 2, 3, 4, 5, DateTimeKind.Utc))
