/// The messages of the library are what `Messages.approved.txt` lists; `WIRE_MESSAGES_WRITE=1 dotnet test` writes the list anew.
module Wire.FSharp.Tests.MessageTests

open Wire.Testing
open Xunit

[<Fact>]
let ``The messages are the approved ones`` () = MessageTexts.AssertApproved("Wire.FSharp", "Wire.FSharp.Tests")
