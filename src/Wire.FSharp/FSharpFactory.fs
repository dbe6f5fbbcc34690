namespace Wire

open System
open System.Collections.Generic
open System.Reflection
open Microsoft.FSharp.Core.CompilerServices
open Wire.Types
open Wire.ValueSerializers
open Wire.ValueSerializers.Conversion
open Wire.ValueSerializers.Collections

/// One value serializer for each type that is particular to F#. The methods are called by their names in the factory's table.
[<AbstractClass; Sealed>]
type internal FSharpFamilies =
    static member private Slot<'T>(registry: TypeRegistry) =
        registry.CreateSlot typeof<'T> :?> ValueSerializer<'T>

    // The null of None stands in front, so that a value is written like its content.
    static member Option<'T>(registry: TypeRegistry) : ValueSerializer =
        ConvertedSerializer<'T option, 'T>(
            FSharpFamilies.Slot<'T> registry,
            (fun some -> some.Value),
            (fun value -> Some value),
            nullIsValue = true
        )

    static member List<'T>(registry: TypeRegistry) : ValueSerializer =
        BuiltSerializer<'T list, 'T, ListItems<'T>, ListBuilder<'T>, ListKind<'T>>(FSharpFamilies.Slot<'T> registry)

    static member Set<'T when 'T: comparison>(registry: TypeRegistry) : ValueSerializer =
        BuiltSerializer<Set<'T>, 'T, IEnumerator<'T>, Growing<Set<'T>>, SetKind<'T>>(FSharpFamilies.Slot<'T> registry)

    static member Map<'K, 'V when 'K: comparison>(registry: TypeRegistry) : ValueSerializer =
        // None is a key like any other, and null.
        let pair =
            PairSerializer<'K, 'V>(FSharpFamilies.Slot<'K> registry, FSharpFamilies.Slot<'V> registry, allowsNull = true)

        BuiltSerializer<
            Map<'K, 'V>,
            KeyValuePair<'K, 'V>,
            IEnumerator<KeyValuePair<'K, 'V>>,
            Growing<Map<'K, 'V>>,
            MapKind<'K, 'V>
         >(
            pair
        )

    static member Ref<'T>(registry: TypeRegistry) : ValueSerializer = ComplexSerializer<'T ref> registry

    // What there is of it is null, which is written without asking.
    static member Unit(_: TypeRegistry) : ValueSerializer = SingletonSerializer<unit>((), null)

    static member Union<'T>(registry: TypeRegistry) : ValueSerializer =
        UnionSerializer<'T>(FSharpUnions.define typeof<'T>, registry)

/// Makes the value serializers of what is particular to F#. Records, anonymous records and tuples are complex types like others.
[<Sealed>]
type internal FSharpFactory private () =
    inherit LibraryFactory()

    static let families: (Type * string)[] =
        [| typeof<unit>, nameof FSharpFamilies.Unit
           typedefof<_ option>, nameof FSharpFamilies.Option
           typedefof<_ list>, nameof FSharpFamilies.List
           typedefof<Set<_>>, nameof FSharpFamilies.Set
           typedefof<Map<_, _>>, nameof FSharpFamilies.Map
           typedefof<_ ref>, nameof FSharpFamilies.Ref |]

    static let definitions =
        [| yield! families |> Array.map fst
           typedefof<_ voption>
           typedefof<Result<_, _>>
           typedefof<Choice<_, _>>
           typedefof<Choice<_, _, _>>
           typedefof<Choice<_, _, _, _>>
           typedefof<Choice<_, _, _, _, _>>
           typedefof<Choice<_, _, _, _, _, _>>
           typedefof<Choice<_, _, _, _, _, _, _>> |]

    static let definitionOf (t: Type) =
        if t.IsConstructedGenericType then t.GetGenericTypeDefinition() else t

    static let familyOf (t: Type) =
        let definition = definitionOf t
        families |> Array.tryFind (fun (family, _) -> family = definition) |> Option.map snd

    static let isUnion (t: Type) =
        FSharpUnions.isUnion t && (familyOf t).IsNone

    static let make (name: string) (arguments: Type[]) (registry: TypeRegistry) =
        let method = typeof<FSharpFamilies>.GetMethod(name, BindingFlags.Static ||| BindingFlags.Public ||| BindingFlags.NonPublic)

        (if method.IsGenericMethod then method.MakeGenericMethod arguments else method)
            .Invoke(null, BindingFlags.DoNotWrapExceptions, null, [| registry |], null)
        :?> ValueSerializer

    // A sequence expression is a class of the program's own: only what it gives is data.
    static let rec itemOfSequence (t: Type) =
        if isNull t then None
        elif definitionOf t = typedefof<GeneratedSequenceBase<_>> then Some(t.GetGenericArguments()[0])
        else itemOfSequence t.BaseType

    static member val Instance = FSharpFactory()

    override _.Definitions = definitions

    override _.Create(t: Type, registry: TypeRegistry) : ValueSerializer =
        match familyOf t with
        | _ when t.ContainsGenericParameters -> null
        | Some name -> make name (t.GetGenericArguments()) registry
        | None when isUnion t && FSharpUnions.ofCase t = t -> make (nameof FSharpFamilies.Union) [| t |] registry
        | None -> null

    override _.WrittenAs(t: Type) =
        if isUnion t then
            FSharpUnions.ofCase t
        else
            match itemOfSequence t.BaseType with
            | Some item -> typedefof<List<_>>.MakeGenericType item
            | None -> t

    override _.IsUnion(t: Type) = isUnion t && FSharpUnions.ofCase t = t

    override _.RefusalOf(t: Type) =
        if t.Assembly = typeof<unit>.Assembly then
            "it belongs to F#, and is not among what Wire.FSharp knows. Give it a surrogate, in SerializerOptions.Surrogates, "
            + "or a ValueSerializer, on both sides."
        else
            null

    override _.DeclaredPartTypes(t: Type) =
        if Array.contains (definitionOf t) definitions then Seq.empty
        elif isUnion t then FSharpUnions.fieldTypes t
        else null
