using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Wire.Analyzers.Symbols;

namespace Wire.Analyzers;

/// <summary>Looks for sessions that are not disposed of, and for those that several threads use.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class SessionAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [Rules.SessionNotDisposed, Rules.SessionOnThreads];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.GetTypeByMetadataName("Wire.Serializer") is not null)
            {
                start.RegisterOperationAction(LookAtSession, OperationKind.Invocation);
                start.RegisterOperationAction(LookAtFunction, OperationKind.AnonymousFunction);
            }
        });
    }

    private static void LookAtSession(OperationAnalysisContext context)
    {
        var call = (IInvocationOperation)context.Operation;
        if (call.TargetMethod.Name is not ("GetSerializerSession" or "GetDeserializerSession")
            || !call.TargetMethod.ContainingType.IsWire("Serializer")
            || call.DeclaredLocal() is not { } local
            || call.Around().Any(each => each is IUsingDeclarationOperation
                || (each is IUsingOperation { Resources: { } resources } && resources.DescendantsAndSelf().Contains(call))))
        {
            return;
        }

        // What is given away, kept or looked at may be disposed of by somebody else.
        if (call.Root().UsesOf(local).All(use => use.SerializerCall() is not null && use.Function() == call.Function()))
        {
            context.ReportDiagnostic(Diagnostic.Create(Rules.SessionNotDisposed, call.Syntax.GetLocation(), local.Name));
        }
    }

    private static void LookAtFunction(OperationAnalysisContext context)
    {
        var function = (IAnonymousFunctionOperation)context.Operation;
        if (Runner(function) is not { } call || function.Body.Descendants().Any(each => each is ILockOperation))
        {
            return;
        }

        IOperation[] uses = [.. function.Body.Descendants().Where(each => SessionOf(each) is { } session && !IsInside(session, function))];
        foreach (IGrouping<ISymbol, IOperation> of in uses.GroupBy(each => SessionOf(each)!, SymbolEqualityComparer.Default))
        {
            if (RunsAtTheSameTime(call, function, of.Key))
            {
                context.ReportDiagnostic(Diagnostic.Create(
                    Rules.SessionOnThreads, of.First().Syntax.GetLocation(), of.Key.Name, $"{Owner(call)!.Name}.{Method(call)}"));
            }
        }
    }

    // The call or creation that a lambda is given to, where that runs it on another thread.
    private static IOperation? Runner(IOperation function)
    {
        IOperation? parent = function.Parent;
        while (parent is IDelegateCreationOperation or IConversionOperation or IArgumentOperation
            or IArrayInitializerOperation or IArrayCreationOperation or ICollectionExpressionOperation)
        {
            parent = parent.Parent;
        }

        return parent is not null && (Owner(parent)?.FullName(), Method(parent)) is
            ("System.Threading.Tasks.Parallel", "For" or "ForEach" or "ForAsync" or "ForEachAsync" or "Invoke")
            or ("System.Threading.Tasks.Task", "Run")
            or ("System.Threading.Tasks.TaskFactory", "StartNew")
            or ("System.Threading.ThreadPool", "QueueUserWorkItem")
            or ("System.Threading.Thread", "Thread")
            ? parent
            : null;
    }

    private static INamedTypeSymbol? Owner(IOperation operation) => operation switch
    {
        IInvocationOperation call => call.TargetMethod.ContainingType,
        IObjectCreationOperation made => made.Type as INamedTypeSymbol,
        _ => null,
    };

    private static string? Method(IOperation operation) => operation switch
    {
        IInvocationOperation call => call.TargetMethod.Name,
        IObjectCreationOperation made => made.Type?.Name,
        _ => null,
    };

    // A loop that calls it for each item; or one task of several, none of which is waited for before the next begins.
    private static bool RunsAtTheSameTime(IOperation runner, IOperation function, ISymbol session)
    {
        if (Owner(runner)?.Name == "Parallel" && Method(runner) != "Invoke")
        {
            return true;
        }

        if (runner.Parent is IAwaitOperation)
        {
            return false;
        }

        return runner.Around().Any(each => each is (ILoopOperation or IAnonymousFunctionOperation) && !IsInside(session, each))
            || runner.Root().Descendants().Any(each => each is IAnonymousFunctionOperation && each != function
                && Runner(each) is { Parent: not IAwaitOperation }
                && each.Descendants().Any(use => SymbolEqualityComparer.Default.Equals(SessionOf(use), session)));
    }

    private static ISymbol? SessionOf(IOperation use) => use switch
    {
        ILocalReferenceOperation { Local: var local } when IsSession(local.Type) => local,
        IParameterReferenceOperation { Parameter: var parameter } when IsSession(parameter.Type) => parameter,
        _ => null,
    };

    private static bool IsSession(ITypeSymbol type) => type.IsWire("SerializerSession") || type.IsWire("DeserializerSession");

    private static bool IsInside(ISymbol variable, IOperation part) => variable.DeclaringSyntaxReferences.Any(
        reference => reference.SyntaxTree == part.Syntax.SyntaxTree && part.Syntax.Span.Contains(reference.Span));
}
