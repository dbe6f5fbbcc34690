/// Takes values through everything that a serializer can do with them.
module Wire.FSharp.Tests.Check

open System
open System.Buffers
open System.IO
open Wire
open Wire.Comparing
open Wire.Testing
open Xunit

/// A value in every kind of member: declared as its type, as object, and once more, so that it may be shared.
type Holder<'T> =
    { Before: string
      Declared: 'T
      Any: obj
      Last: 'T
      Items: 'T list
      Array: 'T[]
      Keyed: Map<int, 'T> }

type Marker = class end

/// Options that allow what a filter does.
let filtered filter references tolerance dynamicCode =
    SerializerOptions(
        PreserveObjectReferences = references,
        VersionTolerance = tolerance,
        DynamicCode = dynamicCode,
        TypeFilter = filter
    )
        .UseFSharp()

let options = filtered (WireTypeFilter.Default.AllowAssembly(typeof<Marker>.Assembly))

/// Options that allow what roots declare: an old and a new version of a type share their name.
let closed = filtered WireTypeFilter.Default

let both = [ false; true ]

let pairs =
    [ for references in both do
          for tolerance in both do
              Serializer(options references tolerance true), Serializer(options references tolerance false) ]

let all = pairs |> List.collect (fun (emitted, reflected) -> [ emitted; reflected ])

let plain = Serializer(options false true true)

let holder value =
    { Before = "before"
      Declared = value
      Any = box value
      Last = value
      Items = [ value; value ]
      Array = [| value |]
      Keyed = Map [ 1, value ] }

/// The same to the last bit, by the comparison of all tests.
let same (expected: 'T) (actual: 'T) = GraphAssert.Same(box expected, box actual)

/// The same, and as many objects: without references none is shared but what the program has once.
let private sameObjects (serializer: Serializer) (expected: 'T) (actual: 'T) =
    GraphAssert.Same(box expected, box actual, Nullable serializer.Options.PreserveObjectReferences)

/// A stream like a connection, which gives one byte at a time.
type Trickle(bytes: byte[]) =
    inherit Stream()
    let mutable at = 0
    override _.CanRead = true
    override _.CanSeek = false
    override _.CanWrite = false
    override _.Length = raise (NotSupportedException())
    override _.Position with get () = raise (NotSupportedException()) and set _ = raise (NotSupportedException())
    override _.Flush() = ()
    override _.Seek(_, _) = raise (NotSupportedException())
    override _.SetLength _ = raise (NotSupportedException())
    override _.Write(_: byte[], _: int, _: int) = raise (NotSupportedException())

    override _.Read(buffer: byte[], offset: int, count: int) =
        if at = bytes.Length || count = 0 then
            0
        else
            buffer[offset] <- bytes[at]
            at <- at + 1
            1

let private refuses (read: unit -> unit) = Assert.ThrowsAny<WireFormatException>(Action read)

// Every place in the long run, and at most twenty-five in the usual one.
let private places (bytes: byte[]) =
    [ 0 .. (if Sweep.IsWhole then 1 else max 1 (bytes.Length / 25)) .. bytes.Length - 1 ]

let private cut<'R> (serializer: Serializer) (bytes: byte[]) =
    for length in places bytes do
        let part = bytes[.. length - 1]
        let error = (refuses (fun () -> serializer.Deserialize<'R> part |> ignore)).Error
        Assert.True((error = WireFormatError.Truncated || error = WireFormatError.Length), $"cut at {length}: {error}")
        refuses (fun () -> serializer.Deserialize<'R>(new Trickle(part)) |> ignore) |> ignore

let private damage<'R> (serializer: Serializer) (bytes: byte[]) =
    for at in places bytes do
        let right = bytes[at]
        let wrongs = [ right ^^^ 1uy; 0xFFuy; right + 2uy; 0uy ]

        for wrong in (if Sweep.IsWhole then wrongs else [ wrongs[at % 4] ]) do
            bytes[at] <- wrong

            try
                serializer.Deserialize<'R> bytes |> ignore
            with
            | :? WireFormatException -> ()
            | e -> Assert.Fail $"byte {at} of {Convert.ToHexString bytes} (was {right:X2}): {e}"

        bytes[at] <- right

let private sources (serializer: Serializer) (value: 'T) =
    let bytes = serializer.Serialize value
    same value (serializer.Deserialize<'T> bytes)
    same value (unbox<'T> (serializer.Deserialize bytes))
    same value (serializer.Deserialize<'T>(new MemoryStream(bytes)))
    same value (serializer.Deserialize<'T>(new Trickle(bytes)))
    let mutable sequence = ReadOnlySequence<byte>(bytes)
    same value (serializer.Deserialize<'T>(&sequence))
    same value (serializer.DeserializeTyped<'T>(ReadOnlySpan(serializer.SerializeTyped value)))
    same value (serializer.Clone value)
    let objects = serializer.Deserialize<obj[]>(serializer.Serialize [| box value; box "between"; box value |])
    same value (unbox<'T> objects[0])
    Assert.Equal(box "between", objects[1])
    same value (unbox<'T> objects[2])

let private members (serializer: Serializer) (value: 'T) =
    let expected = holder value
    let bytes = serializer.Serialize expected
    let actual = serializer.Deserialize<Holder<'T>> bytes
    sameObjects serializer expected actual
    sameObjects serializer expected (serializer.DeserializeTyped<Holder<'T>>(ReadOnlySpan(serializer.SerializeTyped expected)))

    if serializer.Options.VersionTolerance then
        // Everything is passed over by its shape, and described.
        Assert.Equal("before", (serializer.Deserialize<Holder<'T>> bytes).Before)
        let text = PayloadDump.Describe(ReadOnlySpan bytes)
        Assert.DoesNotContain("invalid", text)
        Assert.DoesNotContain("stops", text)

let private sessions (serializer: Serializer) (value: 'T) =
    use writing = serializer.GetSerializerSession()
    use reading = serializer.GetDeserializerSession()

    for _ in 1..3 do
        same (holder value) (serializer.Deserialize<Holder<'T>>(serializer.Serialize(holder value, writing), reading))

/// Every source, container and session, with every option; cut and damaged everywhere; emitted like reflected.
let value (value: 'T) =
    for i, (emitted, reflected) in List.indexed pairs do
        Assert.Equal<byte[]>(emitted.Serialize(holder value), reflected.Serialize(holder value))
        Assert.Equal<byte[]>(emitted.SerializeTyped value, reflected.SerializeTyped value)

        for serializer in [ emitted; reflected ] do
            sources serializer value
            members serializer value
            sessions serializer value

        // In the usual run, each pair of options damages with emitted code or with reflection.
        for serializer in (if Sweep.IsWhole then [ emitted; reflected ] else [ (if i % 2 = 0 then emitted else reflected) ]) do
            cut<'T> serializer (serializer.Serialize value)
            damage<'T> serializer (serializer.Serialize value)
            damage<Holder<'T>> serializer (serializer.Serialize(holder value))

let values (values: 'T seq) = Seq.iter value values
