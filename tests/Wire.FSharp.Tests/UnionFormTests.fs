module Wire.FSharp.Tests.UnionFormTests

open System
open System.Runtime.CompilerServices
open System.Runtime.Loader
open Microsoft.FSharp.Reflection
open Wire
open Xunit

type Odd =
    | ``Two words`` of ``a field``: int
    | New of Item: string
    | Newly of int * item: int
    | ``New thing``
    | Get of get_It: int * _under: int * Upper: int * ``ärger``: int
    | Tagged of tag: int

type One = One

type OneOfTwo = OneOfTwo of left: int * Right: string

[<RequireQualifiedAccess>]
type Lower =
    | lower
    | upper of int

[<CompilationRepresentation(CompilationRepresentationFlags.UseNullAsTrueValue)>]
type NullOfThree<'T> =
    | Nought
    | Left of 'T
    | Right of right: 'T * int

[<Struct>]
type StructOfOne<'T> = StructOfOne of content: 'T * number: int

[<Struct>]
type StructOfThree<'T> =
    | First
    | Second of second: 'T
    | Third of third: 'T list * also: int

[<Struct>]
type StructThatShares =
    | Short of size: int
    | Long of unit: string * size: int
    | Neither

type internal Internal =
    | Open of int
    | Closed

type Wrapped =
    | Generic of Result<NullOfThree<Odd>, Lower> option
    | Self of Wrapped list

let private options = SerializerOptions(TypeFilter = WireTypeFilter.Unrestricted).UseFSharp()

// Names and fields are those that F#'s own reflection knows.
let private form (value: 'T) =
    Check.value value
    let case, fields = FSharpValue.GetUnionFields(value, typeof<'T>, true)

    if not (isNull (box value)) then
        let text = PayloadDump.Describe(ReadOnlySpan(Check.plain.Serialize value))
        Assert.Contains($"case {case.Name}", text)

        for field in case.GetFields() do
            let name = if field.Name = "Item" && fields.Length = 1 then "Item1" else field.Name
            Assert.Contains($" {name}: ", text)

[<Fact>]
let ``Cases and fields of any name have it`` () =
    List.iter form [ ``Two words`` 1; New "a"; Newly(1, 2); ``New thing``; Get(1, 2, 3, 4); Tagged 5 ]

[<Fact>]
let ``Unions of every form are taken apart as F# does`` () =
    form One
    form (OneOfTwo(1, "two"))
    List.iter form [ Lower.lower; Lower.upper 3 ]
    List.iter form [ Nought; Left 1; Right(2, 3) ]
    List.iter form [ Nought; Left "text"; Right(null, 3) ]
    form (StructOfOne("one", 1))
    List.iter form [ First; Second 2; Third([ 3; 4 ], 5) ]
    List.iter form [ Short 1; Long("m", 2); Neither ]
    List.iter form [ Open 1; Closed ]
    List.iter form [ Generic(Some(Ok(Left(New "n")))); Generic(Some(Error Lower.lower)); Generic None; Self [ Self []; Generic None ] ]

let private firstUse (union: Type) =
    let value = MadeUnion.value union 4 42
    let before = GC.GetAllocatedBytesForCurrentThread()
    let serializer = Serializer options
    let back = serializer.Deserialize(serializer.Serialize value)
    let allocated = GC.GetAllocatedBytesForCurrentThread() - before
    Check.same value back
    allocated

[<Fact>]
let ``The first use of a union takes a step for each case, and reflection is asked once for all serializers`` () =
    let load cases = MadeUnion.load cases (AssemblyLoadContext $"{cases} cases")
    firstUse (load 10) |> ignore
    let hundred, more = load 100, load 400
    let first, firstOfMore = firstUse hundred, firstUse more
    Assert.InRange(firstOfMore, first, 6L * first)
    let again, againOfMore = firstUse hundred, firstUse more
    Assert.InRange(againOfMore, again, 6L * again)
    Assert.InRange(againOfMore, 0L, firstOfMore / 2L)

[<MethodImpl(MethodImplOptions.NoInlining)>]
let private useUnloadable (serializer: Serializer) =
    let context = AssemblyLoadContext("unloadable", isCollectible = true)
    let union = MadeUnion.load 3 context

    for case in [ 0; 1; 2; 2 ] do
        let value = MadeUnion.value union case 5
        Check.same [| value |] (serializer.Deserialize<obj[]>(serializer.Serialize [| value |]))

    context.Unload()
    WeakReference context

[<Fact>]
let ``What is known of a union keeps no assembly`` () =
    let serializer = Serializer options

    for _ in 1..2 do
        let context = useUnloadable serializer
        let mutable left = 20

        while context.IsAlive && left > 0 do
            GC.Collect()
            GC.WaitForPendingFinalizers()
            left <- left - 1

        Assert.False context.IsAlive

    GC.KeepAlive serializer

[<Fact>]
let ``Fields are found whatever the arguments are called that they are made from`` () =
    let union = MadeUnion.loadOther (AssemblyLoadContext "other")

    for case in 0..4 do
        let value = MadeUnion.value union case (case + 1)
        Check.same value (Check.plain.Clone value)

[<Fact>]
let ``A union that is not numbered as F# does it is refused`` () =
    let union = MadeUnion.loadWrong (AssemblyLoadContext "wrong")
    let e = Assert.Throws<UnsupportedTypeException>(fun () -> Serializer(options).Serialize(MadeUnion.value union 0 1) |> ignore)
    Assert.Contains("its case Case0 is not what the F# compiler makes of one", e.Message)
