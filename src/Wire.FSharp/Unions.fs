namespace Wire

open System
open System.Reflection
open Microsoft.FSharp.Reflection

/// What F# reflection says of a union, as the core wants it.
module internal Unions =

    let isUnion (t: Type) =
        not t.ContainsGenericParameters && FSharpType.IsUnion(t, true)

    /// The union to which the class of a case belongs; the type itself when it is none.
    let ofCase (t: Type) =
        if isUnion t then
            (Array.head (FSharpType.GetUnionCases(t, true))).DeclaringType
        else
            t

    let private wireName (case: UnionCaseInfo) =
        match case.GetCustomAttributes typeof<WireNameAttribute> with
        | [| :? WireNameAttribute as given |] -> given.Name
        | _ -> case.Name

    // The only field without a name is Item, and the first of several Item1: a case that gains one must not lose the other.
    let private fields (case: UnionCaseInfo) =
        match case.GetFields() with
        | [| field |] when field.Name = "Item" -> [| struct ("Item1", field) |]
        | fields -> fields |> Array.map (fun field -> struct (field.Name, field))

    let private usesNull (t: Type) =
        t.GetCustomAttributes<CompilationRepresentationAttribute>()
        |> Seq.exists _.Flags.HasFlag(CompilationRepresentationFlags.UseNullAsTrueValue)

    let define (t: Type) =
        let nullable = usesNull t

        let tagReader =
            match FSharpValue.PreComputeUnionTagMemberInfo(t, true) with
            | :? PropertyInfo as property -> property.GetGetMethod true
            | reader -> reader :?> MethodInfo

        // Their numbers follow their order in the source, and reflection gives them in this order.
        let cases =
            FSharpType.GetUnionCases(t, true)
            |> Array.sortBy _.Tag
            |> Array.map (fun case ->
                let fields = fields case
                let isNull = nullable && fields.Length = 0
                CaseDefinition(wireName case, FSharpValue.PreComputeUnionConstructorInfo(case, true), fields, isNull))

        UnionDefinition(t, tagReader, cases)

    let fieldTypes (t: Type) =
        FSharpType.GetUnionCases(t, true)
        |> Seq.collect (fun case -> case.GetFields() |> Seq.map _.PropertyType)
