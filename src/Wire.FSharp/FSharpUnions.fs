namespace Wire

open System
open System.Linq
open System.Reflection
open System.Runtime.CompilerServices
open Microsoft.FSharp.Reflection
open Wire.Compilation
open Wire.Runtime

/// The rows of native code as they stand in F#.
module internal FSharpNames =

    /// The row of a type, by the method that makes it.
    let rowOf (kind: string) (arguments: Type[]) =
        let names = String.Join(", ", arguments |> Array.map NativeNames.NameOf)
        String.Concat("FSharpRow.", kind, String.Concat("<", names, ">()"))

    /// The row of a union.
    let rowOfUnion (t: Type) =
        rowOf (if t.IsValueType then "StructUnion" else "Union") [| t |]

/// What the compiler's attributes say of a union, as the core wants it.
module internal FSharpUnions =

    let private declared = BindingFlags.DeclaredOnly ||| BindingFlags.Public ||| BindingFlags.NonPublic

    // Each union is looked at once, whichever serializers meet it.
    let private definitions = TypeMap<UnionDefinition>()

    let isUnion (t: Type) =
        not t.ContainsGenericParameters && FSharpType.IsUnion(t, true)

    /// The union to which the class of a case belongs; the type itself when it is none.
    let ofCase (t: Type) =
        if isUnion t && isUnion t.BaseType then t.BaseType else t

    let private definitionOf (t: Type) =
        if t.IsGenericType then t.GetGenericTypeDefinition() else t

    // As "NewCircle" and "get_Nothing" are made for them.
    let private caseName (maker: MethodInfo) =
        maker.Name[(if maker.Name.StartsWith("get_", StringComparison.Ordinal) then 4 else 3) ..]

    let private wireName (t: Type) (maker: MethodInfo) =
        match maker.GetCustomAttribute<WireNameAttribute> false with
        | null -> caseName maker
        | given ->
            NameText.Check(t, caseName maker, given.Name)
            given.Name

    // The only field without a name is Item, and the first of several Item1: a case that gains one must not lose the other.
    let private named (fields: PropertyInfo[]) =
        match fields with
        | [| field |] when field.Name = "Item" -> [| "Item1", field |]
        | fields -> fields |> Array.map (fun field -> field.Name, field)

    // Formatted text takes F# longer than all else here.
    let private withFirst (change: char -> char) (name: string) =
        String.Concat(string (change name[0]), name[1..])

    // The field that a property reads has its name in lower case, or with an underscore where that is no other.
    let private backing (property: PropertyInfo) =
        let lower = withFirst Char.ToLowerInvariant property.Name
        let name = if lower = property.Name then "_" + lower else lower

        property.DeclaringType.GetField(name, declared ||| BindingFlags.Instance)
        |> Option.ofObj
        |> Option.filter (fun field -> field.FieldType = property.PropertyType)

    let private usesNull (t: Type) =
        t.GetCustomAttributes<CompilationRepresentationAttribute>()
        |> Seq.exists _.Flags.HasFlag(CompilationRepresentationFlags.UseNullAsTrueValue)

    // The classes of cases by their names, for those that have one: a single class or struct has the fields of all.
    let private classes (t: Type) =
        t.GetNestedTypes declared
        |> Seq.filter (fun nested -> not (isNull nested.BaseType) && definitionOf nested.BaseType = definitionOf t)
        |> Seq.map (fun nested -> if nested.IsGenericTypeDefinition then nested.MakeGenericType(t.GetGenericArguments()) else nested)
        |> _.ToDictionary(fun nested -> nested.Name)

    // What the compiler says that it made a member for; cases of a struct may share a field.
    let private purposes (kind: SourceConstructFlags) (found: MemberInfo) =
        found.GetCustomAttributes<CompilationMappingAttribute> false
        |> Seq.filter (fun mapping -> mapping.SourceConstructFlags &&& SourceConstructFlags.KindMask = kind)

    // The fields in a type, by the numbers of their cases.
    let private fieldsIn (owner: Type) =
        owner.GetProperties(declared ||| BindingFlags.Instance)
        |> Seq.collect (fun found -> purposes SourceConstructFlags.Field found |> Seq.map (fun field -> struct (field, found)))
        |> Seq.sortBy (fun struct (field, _) -> field.SequenceNumber)
        |> _.ToLookup((fun struct (field, _) -> field.VariantNumber), (fun struct (_, found) -> found))

    // Native code has no attributes of properties whose accessors are not marked as such, as F# does not mark these: there the name
    // and the type have to do.
    let private isField (number: int) (argument: ParameterInfo) (found: PropertyInfo) =
        if RuntimeFeature.IsDynamicCodeSupported then
            purposes SourceConstructFlags.Field found
            |> Seq.exists (fun field -> field.VariantNumber = number && field.SequenceNumber = argument.Position)
        else
            found.PropertyType = argument.ParameterType

    let private tryField (owner: Type) (number: int) (argument: ParameterInfo) =
        let name =
            if argument.Name.StartsWith '_' then
                argument.Name[1..]
            else
                withFirst Char.ToUpperInvariant argument.Name

        owner.GetProperty(name, declared ||| BindingFlags.Instance)
        |> Option.ofObj
        |> Option.filter (isField number argument)

    // To list the properties of a case's class is to list those of the union too, one or more for each case. So the class is asked
    // for them by the names that the arguments of its maker give away, if these turn out to be the right ones.
    let private fieldsOf (owner: Type) (number: int) (arguments: ParameterInfo[]) =
        match arguments |> Array.choose (tryField owner number) with
        | fields when fields.Length = arguments.Length -> fields
        | _ -> Seq.toArray (fieldsIn owner).[number]

    let private tagReader (t: Type) =
        match FSharpValue.PreComputeUnionTagMemberInfo(t, true) with
        | :? PropertyInfo as property -> property.GetGetMethod true
        | reader -> reader :?> MethodInfo

    // F#'s own reflection finds a case by its number among all of them, for each case and each question again.
    let private read (t: Type) =
        let classes = classes t
        let nullable = usesNull t

        let define number struct (mapping: CompilationMappingAttribute, maker: MethodInfo) =
            let arguments = maker.GetParameters()

            let owner =
                match classes.TryGetValue(caseName maker) with
                | true, owner -> owner
                | _ -> t

            let fields =
                named (fieldsOf owner number arguments)
                |> Array.choose (fun (name, property) -> backing property |> Option.map (fun field -> struct (name, property, field)))

            if mapping.SequenceNumber <> number || fields.Length <> arguments.Length then
                let reason = $"its case {caseName maker} is not what the F# compiler makes of one."
                raise (UnsupportedTypeException(t, reason))

            CaseDefinition(wireName t maker, maker, fields, nullable && fields.Length = 0)

        // Their numbers follow their order in the source.
        let cases =
            t.GetMethods(declared ||| BindingFlags.Static)
            |> Array.collect (fun found ->
                purposes SourceConstructFlags.UnionCase found |> Seq.map (fun case -> struct (case, found)) |> Seq.toArray)
            |> Array.sortBy (fun struct (case, _) -> case.SequenceNumber)
            |> Array.mapi define

        UnionDefinition(t, tagReader t, cases, (if RuntimeFeature.IsDynamicCodeSupported then null else FSharpNames.rowOfUnion t))

    /// Makes what native code may lack a part of: then the error names the row of the type.
    let make (t: Type) (row: Type -> string) (create: unit -> 'a) =
        try
            create ()
        with
        | :? UnsupportedTypeException as e when e.IsUnseen && not e.HasRow -> raise (ClosedTypes.Unseen(t, e.InnerException, row t))
        | :? UnsupportedTypeException -> reraise ()
        | :? TypeLoadException
        | :? NotSupportedException as e when not RuntimeFeature.IsDynamicCodeSupported -> raise (ClosedTypes.Unseen(t, e, row t))

    // Of a generic union, native code may have some classes of cases and not all.
    let define (t: Type) =
        definitions.GetOrAdd(t, (fun t () -> make t FSharpNames.rowOfUnion (fun () -> read t)), ())

    let fieldTypes (t: Type) =
        (define t).Cases
        |> Seq.collect (fun case -> case.Fields |> Seq.map (fun struct (_, _, field) -> field.FieldType))
